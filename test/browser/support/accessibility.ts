/** Holds a page against the accessibility rules of axe-core, which needs no network for it. */
import { expect } from '@jest/globals';
import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Every violation with the elements that break the rule. @param within a part of the page; default: all of it */
export const expectAccessible = async (page: Page, within = 'html'): Promise<void> => {
  // Evaluated through the debugger, which no content security policy keeps out.
  await page.evaluate(axe.source);
  const violations = (await page.evaluate(
    `axe.run(${JSON.stringify(within)}).then(({ violations }) => violations)`,
  )) as Violation[];
  expect(
    violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ html }) => html) })),
  ).toEqual([]);
};
