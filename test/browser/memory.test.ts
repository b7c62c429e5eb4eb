/** A console that stays open for days does not need more and more memory. */
import { expect, test } from '@jest/globals';
import { setStage, watchMetrics } from './support/browser.ts';
import { makeEnvironment } from './support/environment.ts';

const stage = await setStage();

const VIEWS = ['calls', 'data', 'data/connected_accounts', 'data/emails', 'reference', 'setup', 'nowhere'];

/** The number of rounds before the first measurement, and again before the second. */
const ROUNDS = 12;

/** The calls of a round. The journal draws at most 60 rows, so that after a few rounds no rows are added. */
const CALLS = 10;

/** The growth that is allowed: DOM nodes (on the page or not), listeners, and bytes of JavaScript objects. */
const ALLOWED: Readonly<Record<string, number>> = {
  Nodes: 100,
  JSEventListeners: 20,
  JSHeapUsedSize: 512 * 1024,
};

/** How many times a page that has grown is measured again. */
const MEASURED = 100;

test('an open view does not need more memory over time', async () => {
  const own = await makeEnvironment(stage.server);
  const tabs = await Promise.all(
    VIEWS.map(async (view) => {
      const page = await stage.open(own.console(view)); // each page has its own context, which may open six connections
      await page.getByRole('heading', { level: 1 }).waitFor();
      return { view, page, measure: await watchMetrics(page) };
    }),
  );
  /** Makes some calls and a change, and waits until every view has read them. */
  const happen = async (round: number): Promise<void> => {
    const areRead = tabs.map(({ page }) => page.waitForResponse(/environments\/[^/]+$/));
    await Promise.all(Array.from({ length: CALLS }, () => own.api('GET', '/api/v1/nowhere')));
    await own.control('PATCH', '/settings', { magic_link_ttl: `${round + 1}h` });
    await Promise.all(areRead);
  };
  for (let round = 0; round < ROUNDS; round += 1) await happen(round);
  const before = await Promise.all(tabs.map(({ measure }) => measure()));
  for (let round = 0; round < ROUNDS; round += 1) await happen(ROUNDS + round);
  for (const [nth, { view, measure }] of tabs.entries()) {
    const isGrown = ([name, now]: readonly [string, number]): boolean =>
      now > (before[nth]?.[name] ?? 0) + (ALLOWED[name] ?? Infinity);
    // Memory that is only waiting to be collected is gone in one of the next measurements, a leak in none.
    let grown = Object.entries(await measure()).filter(isGrown);
    for (let times = 0; grown.length > 0 && times < MEASURED; times += 1)
      grown = Object.entries(await measure()).filter(isGrown);
    expect([view, grown]).toEqual([view, []]);
  }
});
