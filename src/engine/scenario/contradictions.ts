/** Finds the values of a row for which the API would return others, because of the row's other values (behaviour X3). */
import { isDeepStrictEqual } from 'node:util';
import { isSecretMember } from '../contract/marks.ts';
import type { Instant, Moment } from '../core/moment.ts';
import { isJsonObject, valueAt } from '../core/object.ts';
import { cut } from '../core/text.ts';
import type { Service } from '../service.ts';
import type { EngineState } from '../state.ts';
import type { AnyRow, Form, LoadContext, Section } from './section.ts';
import { type FormatTime, NEVER } from './times.ts';
import type { Path } from './yaml.ts';

/** What is needed to understand the values of a row. */
interface Reading extends Pick<Service, 'references'>, Pick<LoadContext, 'instants'> {
  readonly state: EngineState;
  readonly time: FormatTime;
  readonly read: (text: string) => Moment | undefined;
}

/** The place of each such value, and how messages show what the API would return. */
export const contradictionsIn = (
  reading: Reading,
  section: Section,
  row: AnyRow,
  own: Form,
): readonly (readonly [Path, string])[] => {
  // Skips members whose value in the loaded row equals the value in the scenario, because the check below is slow.
  const toCheck = Object.entries(own).filter(
    ([member, value]) =>
      !section.anyName?.includes(member) &&
      !(Object.hasOwn(row, member) && isSame(reading, member, value, valueAt(row, member))),
  );
  if (toCheck.length === 0) return [];
  const { state, instants, time } = reading;
  const formAt = (at: Instant) => section.toForm(state, row, { at, time });
  const [returned = {}, ...others] = instants.map(formAt);
  return toCheck.flatMap(([member, value]) => {
    const found = differenceIn(reading, [member], value, returned);
    // With an unknown clock, there are several `instants`: only a difference that is equal at all of them is a problem.
    const isCertain = others.every((form) =>
      isDeepStrictEqual(differenceIn(reading, [member], value, form), found),
    );
    return found && isCertain ? [[found.path, show(found)] as const] : [];
  });
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
const differenceIn = (
  reading: Reading,
  path: Path,
  written: unknown,
  holder: object,
): Difference | undefined => {
  const member = path.at(-1) ?? '';
  const returned = valueAt(holder, member);
  if (!Object.hasOwn(holder, member) || isSame(reading, member, written, returned)) return undefined;
  if (!isNested(written, returned)) return { path, returned };
  for (const [name, value] of Object.entries(Object(written))) {
    const step = Array.isArray(written) ? Number(name) : name;
    const found = differenceIn(reading, [...path, step], value, returned);
    if (found) return found;
  }
  return undefined;
};

const isNested = (written: unknown, returned: unknown): returned is object =>
  Array.isArray(written) && Array.isArray(returned)
    ? written.length === returned.length && written.some(isJsonObject)
    : isJsonObject(written) && isJsonObject(returned);

const isSame = (reading: Reading, member: string | number, written: unknown, returned: unknown): boolean =>
  written === returned ||
  isDeepStrictEqual(meaningOf(reading, member, written), meaningOf(reading, member, returned));

/** Returns equal values for strings that mean the same time or row, and for lists that differ only in order. */
const meaningOf = (
  { state, references, read }: Reading,
  member: string | number,
  value: unknown,
): unknown => {
  if (Array.isArray(value)) return [...value].sort();
  if (typeof value !== 'string') return value;
  if (value === NEVER) return undefined;
  return read(value) ?? references[String(member)]?.find(state, value)?.id ?? value;
};

const show = ({ path, returned }: Difference): string => {
  if (path.some((step) => isSecretMember(String(step))) || isJsonObject(returned)) return 'otherwise';
  return cut([returned ?? []].flat().join(', ')) || 'none';
};
