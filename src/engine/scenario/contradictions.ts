/** Checks, after all rows are loaded, that the API returns the values that the scenario sets (behaviour X3). */
import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../contract/document.ts';
import { isSecretMember } from '../contract/marks.ts';
import type { Instant } from '../core/moment.ts';
import { valueAt } from '../core/object.ts';
import { getRow } from '../core/table.ts';
import { cut } from '../core/text.ts';
import { allSections, type Service } from '../service.ts';
import type { EngineState } from '../state.ts';
import { type AnyRow, type OpenState, tableOf, type WrittenRow } from './loading.ts';
import type { Section, WrittenRows } from './section.ts';
import { formatTime, NEVER, parseTime } from './times.ts';
import type { Path } from './yaml.ts';

/** Adds a problem for each member for which the API would return another value than the scenario sets. */
export const refuseContradictions = (service: Service, open: OpenState, rows: WrittenRows): void => {
  for (const section of allSections(service))
    for (const [id, written] of rows(section.name)) {
      const row = getRow(tableOf(open.state, section.name), id);
      if (row) refuseUnlike({ ...service, ...open }, section, row, written);
    }
};

const refuseUnlike = (
  { state, instants, references }: OpenState & Pick<Service, 'references'>,
  section: Section,
  row: AnyRow,
  { own, problem }: WrittenRow,
): void => {
  const names = { state, references };
  const isStored = ([member, value]: [string, unknown]): boolean =>
    Object.hasOwn(row, member) && isSame(names, member, value, valueAt(row, member));
  // Skips members whose value in the loaded row equals the value in the scenario, because the check below is slow.
  const toCheck = Object.entries(own).filter(
    (each) => !section.anyName?.includes(each[0]) && !isStored(each),
  );
  if (toCheck.length === 0) return;
  const [first, ...others] = instants;
  const formAt = (at: Instant) => section.toForm(state, row, { at, time: formatTime });
  const returned = formAt(first);
  for (const [member, value] of toCheck) {
    const differenceFrom = (form: object) => differenceIn(names, [member], value, form);
    const found = differenceFrom(returned);
    // With an unknown clock, there are several `instants`: only a difference that is equal at all of them is a problem.
    if (!found || others.some((at) => !isDeepStrictEqual(differenceFrom(formAt(at)), found))) continue;
    problem(
      found.path,
      `would read ${show(found)} after loading, because of other members; write that value, or change those members`,
    );
  }
};

/** What is needed to understand the name of a row. */
interface Names extends Pick<Service, 'references'> {
  readonly state: EngineState;
}

interface Difference {
  readonly path: Path;
  readonly returned: unknown;
}

/**
 * The first place where a value in the scenario differs from the value that the API returns. Skips members that the API
 * never returns.
 * @param path the last step is the name or position of the value in `holder`
 */
const differenceIn = (names: Names, path: Path, written: unknown, holder: object): Difference | undefined => {
  const member = path.at(-1) ?? '';
  const returned = valueAt(holder, member);
  if (!Object.hasOwn(holder, member) || written === returned) return undefined;
  if (isNested(written, returned)) {
    for (const [name, value] of Object.entries(Object(written))) {
      const step = Array.isArray(written) ? Number(name) : name;
      const found = differenceIn(names, [...path, step], value, returned);
      if (found) return found;
    }
    return undefined;
  }
  return isSame(names, member, written, returned) ? undefined : { path, returned };
};

const isNested = (written: unknown, returned: unknown): returned is object =>
  Array.isArray(written) && Array.isArray(returned)
    ? written.length === returned.length && written.some(isJsonObject)
    : isJsonObject(written) && isJsonObject(returned);

const isSame = (names: Names, member: string | number, written: unknown, returned: unknown): boolean =>
  written === returned ||
  isDeepStrictEqual(meaningOf(names, member, written), meaningOf(names, member, returned));

/** Returns equal values for strings that mean the same time or row, and for lists that differ only in order. */
const meaningOf = ({ state, references }: Names, member: string | number, value: unknown): unknown => {
  if (Array.isArray(value)) return [...value].sort();
  if (typeof value !== 'string') return value;
  if (value === NEVER) return undefined;
  return parseTime(value) ?? references[String(member)]?.find(state, value)?.id ?? value;
};

const show = ({ path, returned }: Difference): string => {
  if (path.some((step) => isSecretMember(String(step))) || isJsonObject(returned)) return 'otherwise';
  return cut([returned ?? []].flat().join(', ')) || 'none';
};
