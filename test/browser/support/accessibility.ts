/** Holds a page against the accessibility rules of axe-core, which needs no network for it. */
import { expect } from '@jest/globals';
import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Rules that a theme or a width can break which another keeps. */
const OF_LOOKS = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'];

/** Names every violation with the elements that break the rule. @param rules only these; default: all */
export const expectAccessible = async (page: Page, rules?: readonly string[]): Promise<void> => {
  // Evaluated through the debugger, which no content security policy keeps out.
  if (await page.evaluate('window.axe === undefined')) await page.evaluate(axe.source);
  const options = rules ? { runOnly: rules, resultTypes: ['violations'] } : { resultTypes: ['violations'] };
  const violations = (await page.evaluate(
    `axe.run('html', ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as Violation[];
  expect(
    violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ html }) => html) })),
  ).toEqual([]);
};

/** All rules once, then at each width and in both themes the rules that looks can break. The page must fit each width. */
export const expectGoodLooks = async (page: Page, what: string, widths = [390, 1440]): Promise<void> => {
  let rules: readonly string[] | undefined;
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 });
    expect([what, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([what, width]);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page, rules);
      rules = OF_LOOKS;
    }
  }
};
