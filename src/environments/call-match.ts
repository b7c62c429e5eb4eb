/** Whether a call is one of those that a fault or a question to the journal is about. */
import { invalidField } from '../core/errors.ts';

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
  if (Array.isArray(wanted)) return Array.isArray(value) && wanted.every((item) => hasItem(value, item));
  return Object.entries(wanted).every(
    ([name, member]) => Object.hasOwn(value, name) && isPart(member, Reflect.get(value, name)),
  );
};

const hasItem = (list: readonly unknown[], item: unknown): boolean =>
  typeof item === 'object' && item !== null ? list.some((other) => isPart(item, other)) : list.includes(item);

/** Each may be compared with every item of a body's list, in every call that is kept. */
const MOST_ITEMS = 20;

/** @throws Refusal 400 if the lists in a part of a body that is looked for have too many items */
export const requireFewItems = (wanted: unknown): void => {
  if (countItems(wanted) <= MOST_ITEMS) return;
  throw invalidField(
    'body',
    'maxItems',
    `body is looked for with more than ${MOST_ITEMS} items in its lists.`,
    'Name those that tell the calls apart.',
  );
};

const countItems = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  const members: unknown[] = Object.values(value);
  return members.reduce<number>(
    (count, member) => count + countItems(member),
    Array.isArray(value) ? value.length : 0,
  );
};
