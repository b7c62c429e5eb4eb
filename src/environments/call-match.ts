/** Whether a call is one of those that a fault or a question to the journal is about. */

export interface CallMatch {
  /** As the call sends it, in its query or at the top of its body. */
  readonly identifier?: string;
  /** Parameters that the call sends with these values; others may be there too. */
  readonly query?: { [name: string]: string };
  /** A part of the body: members, and items of lists, that are there too. */
  readonly body?: { [name: string]: unknown };
}

/** What of a call is looked at. */
export interface MatchedCall {
  /** Raw, without the `?`. */
  readonly query: string;
  /** Parsed; undefined if there is none that can be read. */
  readonly body: unknown;
}

export const matchesCall = ({ identifier, query, body }: CallMatch, call: MatchedCall): boolean =>
  (query === undefined || sends(call, query)) &&
  (identifier === undefined || sends(call, { identifier }) || isPart({ identifier }, call.body)) &&
  (body === undefined || isPart(body, call.body));

const sends = ({ query }: MatchedCall, wanted: Readonly<Record<string, string>>): boolean => {
  const sent = new URLSearchParams(query);
  return Object.entries(wanted).every(([name, value]) => sent.getAll(name).includes(value));
};

/** Whether all of `wanted` is in `value`: an object's members, some item for each of a list's, else the same value. */
export const isPart = (wanted: unknown, value: unknown): boolean => {
  if (typeof wanted !== 'object' || wanted === null) return wanted === value;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(wanted))
    return Array.isArray(value) && wanted.every((item) => value.some((other) => isPart(item, other)));
  return Object.entries(wanted).every(
    ([name, member]) => Object.hasOwn(value, name) && isPart(member, Reflect.get(value, name)),
  );
};
