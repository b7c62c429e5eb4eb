/** Looking for a text in identifiers, providers and connectors of accounts, in any case (behaviour A1). */
import { type Filter, listed } from '../core/selection.ts';
import { differingPositions, type Table } from '../core/table.ts';
import type { AccountIndex, AccountRow } from './account.ts';

type Accounts = Table<AccountRow, AccountIndex>;

/**
 * The texts of some neighbouring accounts as one lower-case string, each text ended by a NUL that no search crosses, so
 * that the engine's own string search finds every match among them.
 */
interface Block {
  readonly texts: string;
  /** Where the texts of each account start in `texts`; one more at the end. */
  readonly starts: Uint32Array;
  /** The position of each account, in order. */
  readonly positions: readonly number[];
}

/** A block holds the accounts at so many positions: few to fold anew for one that changed, many to search at once. */
const SIZE = 512;

/** What was folded last of the tables of one lineage: a write makes another table, but changes a block or two. */
const folded = new WeakMap<object, { readonly accounts: Accounts; readonly blocks: readonly Block[] }>();

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

const findPositions = (blocks: readonly Block[], wanted: string): number[] => {
  const found: number[] = [];
  for (const { texts, starts, positions } of blocks) {
    let account = 0;
    for (let hit = texts.indexOf(wanted); hit !== -1; hit = texts.indexOf(wanted, starts[account + 1])) {
      while ((starts[account + 1] ?? Infinity) <= hit) account += 1;
      const position = positions[account];
      if (position === undefined) break; // the empty text, found once more behind the last account
      found.push(position);
    }
  }
  return found;
};

const foldTexts = (accounts: Accounts): readonly Block[] => {
  const known = folded.get(accounts.lineage);
  if (known?.accounts.rows === accounts.rows) return known.blocks;
  const blocks = [...(known?.blocks ?? [])];
  for (const block of known ? staleBlocks(known.accounts, accounts) : allBlocks(accounts))
    blocks[block] = foldBlock(accounts, block);
  folded.set(accounts.lineage, { accounts, blocks });
  return blocks;
};

const blockOf = (position: unknown): number => Math.floor((position as number) / SIZE); // accounts stand in order of insertion

const allBlocks = ({ rows }: Accounts): number[] =>
  Array.from({ length: blockOf(rows.maxKey() ?? -1) + 1 }, (_, block) => block);

/** The blocks to be folded anew, and with them all that came since, so that none between is missing. */
const staleBlocks = (before: Accounts, after: Accounts): ReadonlySet<number> => {
  const stale = new Set(differingPositions(before, after, hasOtherTexts).map(blockOf));
  for (let block = blockOf(before.rows.maxKey() ?? -1) + 1; block <= Math.max(...stale, -1); block += 1)
    stale.add(block);
  return stale;
};

const hasOtherTexts = (before: AccountRow, after: AccountRow): boolean =>
  before.identifier !== after.identifier ||
  before.provider !== after.provider ||
  before.connector !== after.connector;

const foldBlock = ({ rows }: Accounts, block: number): Block => {
  const parts: string[] = [];
  const positions: number[] = [];
  const starts = [0];
  let length = 0;
  rows.forRange(block * SIZE, (block + 1) * SIZE, false, (position, row) => {
    const text = `${row.identifier}${END}${row.provider}${END}${row.connector}${END}`.toLowerCase();
    parts.push(text);
    positions.push(position as number);
    length += text.length;
    starts.push(length);
  });
  return { texts: parts.join(''), starts: Uint32Array.from(starts), positions };
};
