/** A console that stays open for days does not need more and more memory. */
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserTest, setStage } from './support/browser.ts';
import { makeEnvironment, type OwnEnvironment, openConsole } from './support/environment.ts';

const stage = setStage();

interface Memory {
  /** DOM nodes in memory, on the page or not. */
  readonly nodes: number;
  readonly listeners: number;
  /** KiB of JavaScript objects. */
  readonly heap: number;
}

/** Measures the memory after the browser has collected its garbage. */
const watchMemory = async (page: Page): Promise<() => Promise<Memory>> => {
  const browser = await page.context().newCDPSession(page);
  await browser.send('Performance.enable');
  return async () => {
    await browser.send('HeapProfiler.collectGarbage');
    await browser.send('HeapProfiler.collectGarbage');
    const { metrics } = await browser.send('Performance.getMetrics');
    const read = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? 0;
    return {
      nodes: read('Nodes'),
      listeners: read('JSEventListeners'),
      heap: Math.round(read('JSHeapUsedSize') / 1024),
    };
  };
};

/** Makes a few calls at a time, and waits until the page has drawn them. */
const trickle = async (page: Page, { api }: OwnEnvironment, from: number, steps: number): Promise<void> => {
  for (let step = 1; step <= steps; step += 1) {
    const calls = Array.from({ length: PER_STEP }, () => api('GET', '/api/v1/connections'));
    await Promise.all(calls);
    await page.getByRole('heading', { name: `Journal ${from + step * PER_STEP}` }).waitFor();
  }
};

const PER_STEP = 6;
const STEPS = 60;

/** Measures until the memory is within the limit. A leak never is. */
const expectNoMore = async (measure: () => Promise<Memory>, allowed: Memory): Promise<void> => {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const { nodes, listeners, heap } = await measure();
    if (nodes <= allowed.nodes && listeners <= allowed.listeners && heap <= allowed.heap) return;
    if (performance.now() > deadline) expect({ nodes, listeners, heap }).toEqual(allowed);
  }
};

browserTest('an open journal does not need more memory with every call', async () => {
  const { own, page } = await openConsole(stage, 'journal');
  await trickle(page, own, 0, STEPS);
  const measure = await watchMemory(page);
  const { nodes, listeners, heap } = await measure();
  await trickle(page, own, STEPS * PER_STEP, STEPS);
  await expectNoMore(measure, { nodes: nodes + 300, listeners: listeners + 50, heap: heap + 512 });
});

/** The views that have code of their own. */
const VIEWS = [
  ...['overview', 'connected_accounts', 'memberships', 'outbox', 'coverage', 'snapshots', 'faults'],
  ...['settings', 'environments', 'credentials'],
];

const ROUNDS = 12;

browserTest('the other views do not need more memory over time', async () => {
  const own = await makeEnvironment(stage.server);
  const tabs = await Promise.all(
    VIEWS.map(async (view) => {
      const page = await stage.open(own.console(view)); // in a context of its own, which may open six connections
      await page.getByRole('heading', { level: 1 }).waitFor();
      return { view, page, measure: await watchMemory(page) };
    }),
  );
  /** Makes a call and a change, and waits until every view has read them. */
  const happen = async (round: number): Promise<void> => {
    const areRead = tabs.map(({ page }) => page.waitForResponse(/environments\/[^/]+$/));
    await own.api('GET', '/api/v1/nowhere');
    await own.control('PATCH', '/settings', { magic_link_ttl: `${round + 1}h` });
    await Promise.all(areRead);
  };
  for (let round = 0; round < ROUNDS; round += 1) await happen(round);
  const before = await Promise.all(tabs.map(({ measure }) => measure()));
  for (let round = 0; round < ROUNDS; round += 1) await happen(ROUNDS + round);
  for (const [nth, { measure }] of tabs.entries()) {
    const { nodes = 0, listeners = 0, heap = 0 } = before[nth] ?? {};
    await expectNoMore(measure, { nodes: nodes + 100, listeners: listeners + 20, heap: heap + 512 });
  }
});
