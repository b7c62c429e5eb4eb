/** Finds the stub that answers a call (behaviour X4-X6). Paths are compared segment by segment. */
import { isJsonObject } from '../core/object.ts';
import { decode } from '../core/secrets.ts';
import { matcherOf } from '../environments/call-match.ts';
import {
  described,
  type FormOf,
  listSchema,
  type MemberSchema,
  object,
  oneOf,
  STRING,
  SWITCH,
  type ValueOf,
  WHOLE,
} from '../scenario/member-schemas.ts';

/** The methods that a stub can have. A stub for GET also answers HEAD. */
export const STUB_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const PATH: MemberSchema<string> = {
  type: 'string',
  pattern: '^/[^?#]*$',
  'x-expected': 'a path such as /api/v1/tools/{name}, without a query',
  description: '{name} matches one segment, and /* at the end matches the rest.',
};
const STATUS: MemberSchema<number> = {
  ...{ type: 'integer', minimum: 200, maximum: 599 },
  'x-expected': 'a whole number from 200 to 599',
};
const TEXTS: MemberSchema<Readonly<Record<string, string>>> = {
  type: 'object',
  additionalProperties: STRING,
};
const SOME_TEXTS = { ...TEXTS, minProperties: 1 };
const SOME_MEMBERS: MemberSchema<Readonly<Record<string, unknown>>> = { type: 'object', minProperties: 1 };
const BODY: MemberSchema<unknown> = {
  description: 'Any JSON; strings may hold {path.name}, {query.name}, {body.a.b}, {now}. Default: {}.',
};

const REPLY_MEMBERS = {
  status: STATUS,
  body: BODY,
  headers: TEXTS,
  delay_ms: described({ ...WHOLE, maximum: 600_000 }, 'Milliseconds of real time before the answer.'),
};

const REPLY = object(REPLY_MEMBERS);

export const OF_REPLY = Object.keys(REPLY_MEMBERS);

export const STUB_FORM = object({
  method: oneOf(...STUB_METHODS),
  path: PATH,
  match: described(
    { ...object({ query: SOME_TEXTS, headers: SOME_TEXTS, body: SOME_MEMBERS }), minProperties: 1 },
    'What a call must contain, so that the stub answers it.',
  ),
  ...REPLY_MEMBERS,
  replies: described(
    { ...listSchema(REPLY), minItems: 1 },
    'Answers in sequence, in place of status, body, headers and delay_ms. The last one stays.',
  ),
  // biome-ignore lint/suspicious/noThenProperty: scenarios have this name, and the value is never a function
  then: described(SOME_MEMBERS, 'Rows that each call leaves behind: the lists that an environment has.'),
  auth: described(SWITCH, 'Whether a call needs an access token, as API calls do.'),
  answered: described(WHOLE, 'How many of the replies were given already.'),
});

export type StubForm = FormOf<typeof STUB_FORM>;

type ReplyForm = ValueOf<typeof REPLY>;
/** A string is sent unchanged if `headers` set another content type. */
export type StubReply = ReplyForm & Required<Omit<ReplyForm, 'body'>>;

/** Answers calls that the contract does not have, or whose body it refuses (behaviour X4-X6). */
export type StubRow = Required<Pick<StubForm, 'method' | 'path' | 'auth' | 'answered'>> &
  Pick<StubForm, 'match' | 'then'> & {
    /** The row that must be live, by a name that may hold placeholders; else the next stub is tried. */
    readonly needs?: string;
    /** Each call gets the next reply; the last one stays. `answered` stays 0 if there is only one. */
    readonly replies: readonly [StubReply, ...StubReply[]];
  };

/** The stub's id, which the journal shows. Several stubs of one path differ by their `match` and what they need. */
export const stubName = ({ method, path, match, needs }: StubRow): string =>
  [method, path, ...(match ? [JSON.stringify(match)] : []), ...(needs ? [`for ${needs}`] : [])].join(' ');

/** Equal for two stubs that answer the same calls: names in paths, and the order of conditions, do not matter. */
export const callsOf = ({ method, path, match = {}, needs }: StubRow): string => {
  const headers = Object.entries(match.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  const conditions = JSON.stringify({ ...match, headers: Object.fromEntries(headers), needs }, inOrder);
  return `${method} ${path.replaceAll(/\{[\w-]+\}/g, '{}')} ${conditions}`;
};

const inOrder = (_name: string, value: unknown): unknown =>
  isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

export interface StubCall {
  readonly method: string;
  /** The path as it was sent, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: unknown;
}

/** The stubs for the method and path of a call, whatever else they match. */
export const stubsOfPath = (stubs: Iterable<StubRow>, call: Pick<StubCall, 'method' | 'path'>): StubRow[] => {
  const method = call.method === 'HEAD' ? 'GET' : call.method;
  const given = call.path.split('/'); // once, since there can be many stubs
  return Array.from(stubs).filter((stub) => stub.method === method && valuesInPath(stub.path, given));
};

/**
 * The stubs that match the call, of those for its path. A more exact path comes first, then more conditions, then the
 * earlier stub.
 */
export const findStubs = (ofPath: readonly StubRow[], call: StubCall): readonly StubRow[] => {
  const matches = matcherOf(call);
  const sends = ([name, value]: [string, string]): boolean =>
    [call.headers[name.toLowerCase()]].flat().includes(value);
  return ofPath
    .filter(
      ({ match: { headers = {}, ...more } = {} }) => Object.entries(headers).every(sends) && matches(more),
    )
    .sort(byPrecedence);
};

const byPrecedence = (left: StubRow, right: StubRow): number => {
  const [a, b] = [exactness(left.path), exactness(right.path)];
  return a < b ? -1 : a > b ? 1 : conditionsIn(right) - conditionsIn(left);
};

/** Sorts paths: a text in a segment before a name with a verb, that before a name, and a name before the rest of the path. */
const exactness = (path: string): string =>
  path
    .split('/')
    .map((segment) =>
      segment === '*' ? '4' : !segment.startsWith('{') ? '1' : segment.endsWith('}') ? '3' : '2',
    )
    .join('');

const conditionsIn = ({ match, needs }: StubRow): number => leavesIn(match) + leavesIn(needs);

const leavesIn = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((count, member) => count + leavesIn(member), 0)
    : Number(value !== undefined);

/** The name in a segment, and the verb behind it: `{id}:disconnect`. */
export const partsOf = (segment: string): readonly [name: string | undefined, verb: string] => {
  const end = segment.startsWith('{') ? segment.indexOf('}') : -1;
  return end < 0 ? [undefined, ''] : [segment.slice(1, end), segment.slice(end + 1)];
};

/** The values of the names in a stub's path, and of `*`; undefined if the path of the call does not fit. */
export const valuesInPath = (
  pattern: string,
  path: string | readonly string[],
): Readonly<Record<string, string>> | undefined => {
  const [wanted, given] = [pattern.split('/'), typeof path === 'string' ? path.split('/') : path];
  const hasRest = wanted.at(-1) === '*';
  if (hasRest ? given.length < wanted.length : wanted.length !== given.length) return undefined;
  const values: [string, string][] = hasRest ? [['*', given.slice(wanted.length - 1).join('/')]] : [];
  for (const [index, segment] of wanted.slice(0, hasRest ? -1 : undefined).entries()) {
    const sent = given[index] ?? '';
    const [name, verb] = partsOf(segment);
    if (name !== undefined && sent.length > verb.length && sent.endsWith(verb))
      values.push([name, decode(sent.slice(0, sent.length - verb.length))]);
    else if (segment !== sent) return undefined;
  }
  return Object.fromEntries(values);
};
