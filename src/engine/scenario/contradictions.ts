/** Checks, after all rows are loaded, that the API returns the values that the scenario sets (behaviour X3). */
import { isDeepStrictEqual } from 'node:util';
import { findByName } from '../../service/find-by-name.ts';
import { NAMED_BY } from '../../service/references.ts';
import { ALL_SECTIONS } from '../../service/sections.ts';
import type { State } from '../../service/state.ts';
import { isJsonObject } from '../contract/document.ts';
import { isSecretMember } from '../contract/secret-members.ts';
import type { Instant } from '../core/moment.ts';
import { valueAt } from '../core/object.ts';
import { getRow } from '../core/table.ts';
import { cut } from '../core/text.ts';
import { type OpenState, type RowOf, type TableName, tableOf, type WrittenRow } from './loading.ts';
import type { Section, WrittenRows } from './section.ts';
import { formatTime, NEVER, parseTime } from './times.ts';
import type { Path } from './yaml.ts';

/** Adds a problem for each member for which the API would return another value than the scenario sets. */
export const refuseContradictions = (open: OpenState, rows: WrittenRows): void => {
  for (const section of ALL_SECTIONS)
    for (const [id, written] of rows[section.name]) {
      const row = getRow(tableOf(open.state, section.name), id);
      if (row) refuseUnlike(open, section, row, written);
    }
};

/** Members that refer to rows by name. Since a row can have several names, another name is not a contradiction. */
const BY_ANY_NAME = new Set(['roles', 'extends', 'provider_key']);

const refuseUnlike = (
  { state, instants }: OpenState,
  section: Section,
  row: RowOf<TableName>,
  { own, problem }: WrittenRow,
): void => {
  const isStored = ([member, value]: [string, unknown]): boolean =>
    Object.hasOwn(row, member) && isSame(state, member, value, valueAt(row, member));
  // Skips members whose value in the loaded row equals the value in the scenario, because the check below is slow.
  const toCheck = Object.entries(own).filter((each) => !BY_ANY_NAME.has(each[0]) && !isStored(each));
  if (toCheck.length === 0) return;
  const [first, ...others] = instants;
  const formAt = (at: Instant) => section.toForm(state, row, { at, time: formatTime });
  const returned = formAt(first);
  for (const [member, value] of toCheck) {
    const differenceFrom = (form: object) => differenceIn(state, [member], value, form);
    const found = differenceFrom(returned);
    // With an unknown clock, there are several `instants`: only a difference that is equal at all of them is a problem.
    if (!found || others.some((at) => !isDeepStrictEqual(differenceFrom(formAt(at)), found))) continue;
    problem(
      found.path,
      `would read ${show(found)} after loading, because of other members; write that value, or change those members`,
    );
  }
};

interface Difference {
  readonly path: Path;
  readonly returned: unknown;
}

/**
 * The first place where a value in the scenario differs from the value that the API returns. Skips members that the API
 * never returns.
 * @param path the last step is the name or position of the value in `holder`
 */
const differenceIn = (state: State, path: Path, written: unknown, holder: object): Difference | undefined => {
  const member = path.at(-1) ?? '';
  const returned = valueAt(holder, member);
  if (!Object.hasOwn(holder, member) || written === returned) return undefined;
  if (isNested(written, returned)) {
    for (const [name, value] of Object.entries(Object(written))) {
      const step = Array.isArray(written) ? Number(name) : name;
      const found = differenceIn(state, [...path, step], value, returned);
      if (found) return found;
    }
    return undefined;
  }
  return isSame(state, member, written, returned) ? undefined : { path, returned };
};

const isNested = (written: unknown, returned: unknown): returned is object =>
  Array.isArray(written) && Array.isArray(returned)
    ? written.length === returned.length && written.some(isJsonObject)
    : isJsonObject(written) && isJsonObject(returned);

const isSame = (state: State, member: string | number, written: unknown, returned: unknown): boolean =>
  written === returned ||
  isDeepStrictEqual(meaningOf(state, member, written), meaningOf(state, member, returned));

/** Returns equal values for strings that mean the same time or row, and for lists that differ only in order. */
const meaningOf = (state: State, member: string | number, value: unknown): unknown => {
  if (Array.isArray(value)) return [...value].sort();
  if (typeof value !== 'string') return value;
  if (value === NEVER) return undefined;
  const kind = NAMED_BY.get(String(member));
  return parseTime(value) ?? (kind && findByName(state, kind.kind, value)?.id) ?? value;
};

const show = ({ path, returned }: Difference): string => {
  if (path.some((step) => isSecretMember(String(step))) || isJsonObject(returned)) return 'otherwise';
  return cut([returned ?? []].flat().join(', ')) || 'none';
};
