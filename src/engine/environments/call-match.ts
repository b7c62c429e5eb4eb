/** Tells whether a fault, or a filter of the journal, matches a call. */
import type { components } from '../control/generated.ts';
import { contains } from '../core/contains.ts';
import { otherSpelling } from '../core/text.ts';

/** A call matches if it meets all of these conditions. Names can be in snake_case or lowerCamelCase (behaviour T3). */
export type CallMatch = components['schemas']['FaultMatch'];

export interface MatchedCall {
  readonly client_id?: string | undefined;
  readonly path: string;
  /** The query as the client sent it, without the `?`. */
  readonly query: string | URLSearchParams;
  readonly body: unknown;
}

export const bodyProblem = (calls: string, field: string): string =>
  `Calls of ${calls} have no body, so no call could have this ${field}`;

/** Whether a call of the operation at `template`, such as `/users/{id}`, can have a path like the pattern. */
export const canHavePath = (template: string, pattern: string): boolean => {
  const parts = template.match(/\{\w+\}|./g) ?? [];
  const after = (character: string, place: number): readonly number[] => {
    const { [place]: part = '' } = parts;
    if (part.length > 1) return character === '/' ? [] : [place, place + 1]; // a name has one or more characters
    return part === character ? [place + 1] : [];
  };
  // The places in the template up to which the characters so far can lead.
  let places: readonly number[] = [0];
  for (const character of pattern.replaceAll(/%3a/gi, ':'))
    places =
      character === '*'
        ? [...parts, ''].map((_, place) => place).slice(places[0] ?? Infinity)
        : [...new Set(places.flatMap((place) => after(character, place)))];
  return places.includes(parts.length);
};

/** Returns a function that tells whether the call matches. It reads the query once, and the body only if a match needs it. */
export const matcherOf = (call: MatchedCall) => {
  let sent: ReadonlySet<string> | undefined;
  const sends = (wanted: Readonly<Record<string, string>>): boolean => {
    sent ??= new Set(Array.from(new URLSearchParams(call.query), pairOf));
    return Object.entries(wanted).every(
      ([name, value]) => sent?.has(pairOf([name, value])) || sent?.has(pairOf([otherSpelling(name), value])),
    );
  };
  return (match: CallMatch): boolean =>
    (match.client_id === undefined || match.client_id === call.client_id) &&
    (match.path === undefined || isLike(match.path, call.path)) &&
    (match.query === undefined || sends(match.query)) &&
    (match.identifier === undefined ||
      sends({ identifier: match.identifier }) ||
      contains({ identifier: match.identifier }, call.body)) &&
    (match.body === undefined || contains(match.body, call.body));
};

const pairOf = (pair: readonly [name: string, value: string]): string => JSON.stringify(pair);

const isLike = (pattern: string, path: string): boolean => {
  const [start = '', ...parts] = pattern.split('*');
  const end = parts.pop();
  if (end === undefined) return path === pattern;
  let from = path.startsWith(start) ? start.length : -1;
  for (const part of parts) {
    const at = from < 0 ? -1 : path.indexOf(part, from);
    from = at < 0 ? -1 : at + part.length;
  }
  return from >= 0 && path.length - end.length >= from && path.endsWith(end);
};
