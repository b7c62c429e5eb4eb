/** Bodies of replies that are wrong in one place. */
import { isJsonObject } from '../../../src/engine/contract/document.ts';

type Path = readonly (string | number)[];

export interface Fault {
  /**
   * The place, and what is wrong there: `a.b` has another value, `-a.b` is missing, `+a.b` is there. The list `a.b` is
   * empty in `a.b[0]`, has only its first item in `a.b[1]`, has this item twice in `a.b[2]`, has a foreign item in
   * `a.b[+]` and an item with all known members in `a.b[*]`, and is reversed in `a.b[<]`.
   */
  readonly what: string;
  readonly body: unknown;
}

/** The members that objects of one name have in any reply, each with an example of its value. */
export type Known = Map<string, Map<string, unknown>>;

/** `memberships` and `membership` hold objects of one kind. */
const kindOf = (name: string): string => name.replace(/s$/, '');

export const learn = (known: Known, value: unknown, name = ''): void => {
  if (Array.isArray(value)) for (const item of value) learn(known, item, name);
  if (!isJsonObject(value)) return;
  const members = known.get(name) ?? new Map<string, unknown>();
  known.set(name, members);
  for (const [key, member] of Object.entries(value)) {
    members.set(key, member);
    learn(known, member, kindOf(key));
  }
};

/** A copy of `value` with another value at the path; undefined removes it. */
const changed = (value: unknown, [first, ...rest]: Path, to: unknown): unknown => {
  if (first === undefined) return to;
  if (Array.isArray(value))
    return value.map((item, index) => (index === first ? changed(item, rest, to) : item));
  return { ...Object(value), [first]: changed(Object(value)[first], rest, to) };
};

const other = (value: unknown): unknown => {
  if (typeof value === 'number') return value + 1;
  return typeof value === 'boolean' ? !value : `${value}~`;
};

/** Every place of a body with the faults that it can have. Of a list, only the first item is looked into. */
export const faultsOf = (whole: unknown, known: Known, path: Path = [], name = ''): readonly Fault[] => {
  const value = path.reduce<unknown>((holder, key) => Object(holder)[key], whole);
  const at = path.join('.');
  const fault = (what: string, to: unknown, place = path): Fault => ({
    what,
    body: changed(whole, place, to),
  });
  if (Array.isArray(value)) {
    const first = value.length > 0 ? faultsOf(whole, known, [...path, 0], name) : [];
    return [
      ...(value.length > 0 ? [fault(`${at}[0]`, []), fault(`${at}[2]`, [...value, value[0]])] : []),
      ...(value.length > 1 ? [fault(`${at}[1]`, [value[0]]), fault(`${at}[<]`, value.toReversed())] : []),
      fault(`${at}[+]`, [...value, { other: 1 }]),
      fault(`${at}[*]`, [...value, Object.fromEntries(known.get(name) ?? [])]),
      ...first,
    ];
  }
  if (!isJsonObject(value)) return [fault(at, other(value)), fault(`-${at}`, undefined)];
  const more = [...(known.get(name) ?? [])].filter(([key]) => path.length > 0 && !(key in value));
  return [
    ...Object.keys(value).flatMap((key) => faultsOf(whole, known, [...path, key], kindOf(key))),
    ...(path.length === 0 ? [fault('+other', 1, ['other'])] : []),
    ...more.map(([key, member]) => fault(`+${[...path, key].join('.')}`, member, [...path, key])),
  ];
};
