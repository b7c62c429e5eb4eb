/** Looking for a text in identifiers, providers and connectors of accounts, in any case (behaviour A1). */
import { type Filter, listed } from '../core/selection.ts';
import type { Table } from '../core/table.ts';
import type { AccountIndex, AccountRow } from './account.ts';

type Accounts = Table<AccountRow, AccountIndex>;

/**
 * All accounts' texts as one lower-case string, each text ended by a NUL that no search crosses: one pass of the
 * engine's own string search finds every match, at any number of accounts.
 */
interface FoldedTexts {
  readonly providers: Accounts['entries']['provider'];
  readonly texts: string;
  /** Where the texts of each account start in `texts`; one more at the end. */
  readonly starts: Uint32Array;
  /** The position of each account, in order. */
  readonly positions: readonly number[];
}

/**
 * By the tree of the pairs, which changes only when an account comes or goes. The providers, the one part of the text
 * that is not in the pair, are compared besides. So a write that touches neither keeps what was folded.
 */
const folded = new WeakMap<Accounts['entries']['pair'], FoldedTexts>();

const END = '\u0000';

/** The accounts that contain `text` in any case. */
export const containing = (accounts: Accounts, text: string): Filter<AccountRow> => {
  const wanted = text.toLowerCase();
  return {
    ranges: [{ positions: listed(wanted.includes(END) ? [] : findPositions(foldTexts(accounts), wanted)) }],
    holds: ({ identifier, provider, connector }) =>
      [identifier, provider, connector].some((each) => each.toLowerCase().includes(wanted)),
  };
};

const findPositions = ({ texts, starts, positions }: FoldedTexts, wanted: string): number[] => {
  const found: number[] = [];
  let account = 0;
  for (let hit = texts.indexOf(wanted); hit !== -1; hit = texts.indexOf(wanted, starts[account + 1])) {
    while ((starts[account + 1] ?? Infinity) <= hit) account += 1;
    const position = positions[account];
    if (position === undefined) break; // the empty text, found once more behind the last account
    found.push(position);
  }
  return found;
};

const foldTexts = (accounts: Accounts): FoldedTexts => {
  const { pair, provider: providers } = accounts.entries;
  const known = folded.get(pair);
  if (known?.providers === providers) return known;
  const fresh = { providers, ...joinTexts(accounts) };
  folded.set(pair, fresh);
  return fresh;
};

const joinTexts = ({ rows }: Accounts): Omit<FoldedTexts, 'providers'> => {
  const parts: string[] = [];
  const positions: number[] = [];
  const starts = new Uint32Array(rows.size + 1);
  let length = 0;
  rows.forEachPair((position, row) => {
    const text = `${row.identifier}${END}${row.provider}${END}${row.connector}${END}`.toLowerCase();
    parts.push(text);
    positions.push(position as number); // accounts stand in the order of insertion
    length += text.length;
    starts[parts.length] = length;
  });
  return { texts: parts.join(''), starts, positions };
};
