/** Which names are in doubt where something broke the schema. */
import type { Lost } from './lost.ts';
import { holdsPlaceholder } from './repeat.ts';
import type { Source } from './source.ts';
import { type Broken, valueAt } from './unread.ts';
import { SECTION_NAMES } from './written.ts';

/** The members by which rows are named. */
const KEYS = new Set(['id', 'name', 'display_name', 'email', 'key_id', 'identifier']);

/** Takes up the names that stand in what is broken, or that would have followed from it. */
export const lose = (
  { value }: Source,
  kind: 'scenario' | 'environment',
  { path, isUnknownName, isKept }: Broken,
  lost: Lost,
): void => {
  const depth = kind === 'scenario' ? 2 : 0;
  const section = SECTION_NAMES.find((name) => name === path[depth]);
  const held = valueAt(value, path);
  lost.add(section, held);
  if (!section) return;
  const [, member, ...deeper] = path.slice(depth + 1);
  const isRow = member === undefined;
  const isKey = deeper.length === 0 && KEYS.has(String(member));
  if (isKey && isKept && held !== '') lost.addSimilar(section, String(held));
  else if (isKey || (isRow && !holdsText(held))) lost.addAll(section);
  // Nobody knows how often the row was to be made.
  const row = valueAt(value, path.slice(0, depth + 2));
  if ((isUnknownName || member === 'repeat') && holdsPlaceholder(row)) lost.add(section, row);
};

/** Whether names may stand in it. */
const holdsText = (value: unknown): boolean =>
  typeof value === 'string' ? value !== '' : typeof value === 'object' && value !== null;
