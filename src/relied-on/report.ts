/** What `ca-mock diff` prints about changes of the contract. */
import type { Used } from './used.ts';

const EFFECTS = ['breaks', 'may break', 'new'] as const;
type Effect = (typeof EFFECTS)[number];

/** A change of the contract that concerns what an application relies on. */
export interface Change {
  readonly operation: string;
  readonly effect: Effect;
  /** The parameter, member or status that changes. Absent if the whole operation changes. */
  readonly member?: string;
  /** What has changed. The report prints this text after the member, so that both make a sentence. */
  readonly words: string;
}

/** The changes that break the application come first. The last line has the numbers. */
export const diffText = (changes: readonly Change[], used: Used): string => {
  const width = Math.max(0, ...changes.map(({ operation }) => operation.length));
  const groups = EFFECTS.map((effect) => ({
    effect,
    lines: changes
      .filter((change) => change.effect === effect)
      .map(
        ({ operation, member, words }) =>
          `  ${operation.padEnd(width)}  ${member === undefined ? '' : `${member} `}${words}\n`,
      ),
  }));
  const blocks = groups
    .filter(({ lines }) => lines.length > 0)
    .map(({ effect, lines }) => `${effect.toUpperCase()}\n${lines.join('')}\n`);
  const counts = groups.map(({ effect, lines }) => `${effect}: ${lines.length}`).join(', ');
  const operations = Object.keys(used.operations).length;
  return `${blocks.join('')}${operations} operation${operations === 1 ? '' : 's'} used; ${counts}\n`;
};
