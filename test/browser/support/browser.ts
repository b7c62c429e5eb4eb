/** A real browser for the tests of one file. Errors of its pages fail the test. */
import { afterAll, afterEach, expect } from '@jest/globals';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { firefox } from 'playwright-core-bidi';
import { type StartOptions, startMock } from '#mock';
import { callsOf } from '../../support/server.ts';

// Debian's headless shell takes 40 % less CPU than its Chromium with windows.
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell';
const FIREFOX = process.env.FIREFOX ?? '/usr/bin/firefox-esr';

/** `rebound.test` is a host name that somebody pointed at this machine. */
const FLAGS = ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP rebound.test 127.0.0.1'];

/**
 * Debian's browsers. The channel makes Playwright drive Firefox by WebDriver BiDi. Playwright after 1.60 sends a
 * command (`emulation.setMediaFeaturesOverride`) that Firefox 153 does not know.
 */
const BROWSERS = {
  chromium: () => chromium.launch({ executablePath: CHROMIUM, args: FLAGS }),
  // Playwright 1.60 has the types of the current version, except for newer members.
  firefox: async () =>
    (await firefox.launch({ executablePath: FIREFOX, channel: 'moz-firefox' })) as unknown as Browser,
};

/** How many milliseconds a test waits for a page before it fails; long, since a machine may be busy. */
const PATIENCE = 120_000;

export type Stage = Awaited<ReturnType<typeof setStage>>;

/** A server and a browser for the tests of one file. A test fails if a page had an error or called another host. */
export const setStage = async (options: StartOptions = {}, name: keyof typeof BROWSERS = 'chromium') => {
  const browser = await BROWSERS[name]();
  afterAll(() => browser.close());
  const mock = await startMock({ port: 0, log: 'silent', validateResponses: 'on', ...options });
  afterAll(() => mock.close());
  const pages: Page[] = [];
  const faults: string[] = [];
  const forgiven: RegExp[] = [];
  afterEach(async () => {
    await Promise.all(pages.splice(0).map((page) => page.context().close()));
    const meant = forgiven.splice(0);
    expect(faults.splice(0).filter((fault) => !meant.some((one) => one.test(fault)))).toEqual([]);
  });
  return {
    /** The server of this file; every test makes an environment of its own on it. */
    server: callsOf(mock, mock.url),
    /** Errors of a page that match `meant` do not fail this test. */
    forgive: (meant: RegExp) => {
      forgiven.push(meant);
    },
    /** A page in a context of its own, closed after the test. Opens `path` of the server, or any address. */
    open: async (path: string, given: BrowserContextOptions = {}): Promise<Page> => {
      const size = { width: 1280, height: 800 };
      const context = await browser.newContext({ baseURL: mock.url, viewport: size, ...given });
      context.setDefaultTimeout(PATIENCE);
      context.on('page', (page) => watch(page, faults));
      const page = await context.newPage();
      pages.push(page);
      await page.goto(path);
      return page;
    },
  };
};

/** Records errors that the browser reports, and requests to other machines. */
const watch = (page: Page, faults: string[]): void => {
  page.on('pageerror', ({ message }) => faults.push(`error on the page: ${message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') faults.push(`outside: ${request.url()}`);
  });
};

/** Returns a function that collects garbage, and then returns the metrics of a page under Chromium's names. */
export const watchMetrics = async (page: Page): Promise<() => Promise<Record<string, number>>> => {
  const browser = await page.context().newCDPSession(page);
  await browser.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    for (let times = 0; times < 2; times += 1) await browser.send('HeapProfiler.collectGarbage');
    const { metrics } = await browser.send('Performance.getMetrics');
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  };
};
