/** Checks a page by the accessibility rules of axe-core. */
import { expect } from '@jest/globals';
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Rules that a page can break in one theme or width and keep in another. */
const OF_LOOKS = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'];

/** Fails with each broken rule and the elements that break it. @param rules the rules to check; default: all */
export const expectAccessible = async (page: Page, rules?: readonly string[]): Promise<void> => {
  // The debugger evaluates this, so the content security policy of the page does not block it.
  if (await page.evaluate('window.axe === undefined')) await page.evaluate(axe.source);
  const options = rules ? { runOnly: rules, resultTypes: ['violations'] } : { resultTypes: ['violations'] };
  const violations = (await page.evaluate(
    `axe.run('html', ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as axe.Result[];
  expect(
    violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ html }) => html) })),
  ).toEqual([]);
};

/** Both themes, on a phone and on a wide screen, with the width in pixels. */
export const LOOKS: readonly (readonly [width: number, theme: 'dark' | 'light'])[] = [
  [390, 'dark'],
  [390, 'light'],
  [1440, 'dark'],
  [1440, 'light'],
];

/** Finds controls smaller than 24 pixels, and views that need to be scrolled sideways. The label of a box belongs to it. */
const MISFITS = `[
  ...[...document.querySelectorAll('button, .button, input, select, textarea, summary, .side a')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches('.unseen'))
    .map((one) => [one, (one.matches('[type=checkbox], [type=radio]') && one.closest('label')) || one])
    .filter(([, { offsetWidth, offsetHeight }]) => Math.min(offsetWidth, offsetHeight) < 24)
    .map(([one]) => one.outerHTML),
  ...[...document.querySelectorAll('.view, .list, .panel')]
    .filter((one) => one.scrollWidth > one.clientWidth)
    .map(({ className }) => className + ' is too wide'),
]`;

/** A view needs no scrolling to the side, and its controls are large enough. */
export const expectFit = async (page: Page, what: string, width: number): Promise<void> => {
  expect([what, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([what, width]);
  expect([what, width, await page.evaluate(MISFITS)]).toEqual([what, width, []]);
};

/** Checks all rules in the first look, and `OF_LOOKS` in the others. The page must fit each width. */
export const expectGoodLooks = async (page: Page, what: string, looks = LOOKS): Promise<void> => {
  let rules: readonly string[] | undefined;
  for (const [width, colorScheme] of looks) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme });
    await expectFit(page, what, width);
    await expectAccessible(page, rules);
    rules = OF_LOOKS;
  }
};
