/** What `ca-mock diff` prints. */
import type { Change, Effect } from './change.ts';
import type { Used } from './used.ts';

const EFFECTS = ['breaks', 'may break', 'new'] as const satisfies readonly Effect[];

const HEADINGS: Readonly<Record<Effect, string>> = {
  breaks: 'BREAKS',
  'may break': 'MAY BREAK',
  new: 'NEW',
};

/** The changes that break the application come first. The last line has the numbers. */
export const diffText = (changes: readonly Change[], used: Used): string => {
  const width = Math.max(0, ...changes.map(({ operation }) => operation.length));
  const blocks = EFFECTS.flatMap((effect) => {
    const own = changes.filter((change) => change.effect === effect);
    if (own.length === 0) return [];
    const lines = own.map(
      ({ operation, member, words }) =>
        `  ${operation.padEnd(width)}  ${member === undefined ? '' : `${member} `}${words}\n`,
    );
    return [`${HEADINGS[effect]}\n${lines.join('')}\n`];
  });
  const operations = Object.keys(used.operations).length;
  const counts = EFFECTS.map((effect) => `${effect}: ${countOf(changes, effect)}`);
  return `${blocks.join('')}${operations} operation${operations === 1 ? '' : 's'} used; ${counts.join(', ')}\n`;
};

export const countOf = (changes: readonly Change[], effect: Effect): number =>
  changes.filter((change) => change.effect === effect).length;
