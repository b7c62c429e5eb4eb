/** A real browser for the tests of one file. Errors of its pages fail the test. */
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { firefox } from 'playwright-core-bidi';
import { type StartOptions, startMock } from '#mock';
import { callsOf, type TestServer } from '../../support/server.ts';

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
  chromium: { path: CHROMIUM, launch: () => chromium.launch({ executablePath: CHROMIUM, args: FLAGS }) },
  firefox: {
    path: FIREFOX,
    // Playwright 1.60 has the types of the current version, except for newer members.
    launch: async () =>
      (await firefox.launch({ executablePath: FIREFOX, channel: 'moz-firefox' })) as unknown as Browser,
  },
};
type BrowserName = keyof typeof BROWSERS;

/** How many milliseconds a test waits for a page before it fails; long, since a machine may be busy. */
const PATIENCE = 120_000;

export interface Stage {
  /** The server of this file; every test makes an environment of its own on it. */
  readonly server: TestServer;
  /** A page in a context of its own, closed after the test. Opens `path` of the server, or any address. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
  /** Errors of a page that match `meant` do not fail this test. */
  forgive(meant: RegExp): void;
}

/** A server and a browser for the tests of one file. A test fails if a page had an error or called another host. */
export const setStage = (options: StartOptions = {}, browserName: BrowserName = 'chromium'): Stage => {
  let server: TestServer | undefined;
  let browser: Browser | undefined;
  let pages: Page[] = [];
  let faults: string[] = [];
  let forgiven: RegExp[] = [];
  beforeAll(async () => {
    const mock = await startMock({ port: 0, log: 'silent', validateResponses: 'on', ...options });
    server = callsOf(mock, mock.url);
    browser = await BROWSERS[browserName].launch();
  });
  afterEach(async () => {
    await Promise.all(pages.map((page) => page.context().close()));
    const seen = faults.filter((fault) => !forgiven.some((meant) => meant.test(fault)));
    pages = [];
    faults = [];
    forgiven = [];
    expect(seen).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.mock.close();
  });
  const requireServer = (): TestServer => {
    if (!server) throw new Error('The server of this file has not started yet.');
    return server;
  };
  return {
    get server() {
      return requireServer();
    },
    forgive: (meant) => {
      forgiven.push(meant);
    },
    open: async (path, given) => {
      if (!browser) throw new Error('The browser of this file has not started yet.');
      const { url: baseURL } = requireServer().mock;
      const context = await browser.newContext({ baseURL, viewport: { width: 1280, height: 800 }, ...given });
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
