/** Finds the stub that answers a call (behaviour X4-X6). Paths are compared segment by segment. */
import { isJsonObject, lazily } from '../core/object.ts';
import { decode } from '../core/secrets.ts';
import { type MatchedCall, matcherOf } from '../environments/call-match.ts';
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
} from '../scenario/schema.ts';

/** The methods that a stub can have. A stub for GET also answers HEAD. */
export const STUB_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const TEXTS: MemberSchema<Readonly<Record<string, string>>> = {
  type: 'object',
  additionalProperties: STRING,
};
const SOME_TEXTS = { ...TEXTS, minProperties: 1 };
const SOME_MEMBERS: MemberSchema<Readonly<Record<string, unknown>>> = { type: 'object', minProperties: 1 };

const REPLY_MEMBERS = {
  status: { ...WHOLE, minimum: 200, maximum: 599, 'x-expected': 'a whole number from 200 to 599' },
  body: described(
    {},
    'Any JSON; strings may hold {path.name}, {query.name}, {body.a.b}, {now}. Default: {}.',
  ),
  headers: TEXTS,
  delay_ms: described({ ...WHOLE, maximum: 600_000 }, 'Milliseconds of real time before the answer.'),
};

const REPLY = object(REPLY_MEMBERS);

export const OF_REPLY = Object.keys(REPLY_MEMBERS);

export const STUB_FORM = object({
  method: oneOf(...STUB_METHODS),
  path: {
    ...STRING,
    pattern: '^/[^?#]*$',
    'x-expected': 'a path such as /api/v1/tools/{name}, without a query',
    description: '{name} matches one segment, and /* at the end matches the rest.',
  },
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

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The stubs for the method and path of a call, whatever else they match. */
export const stubsOfPath = (
  stubs: Iterable<StubRow>,
  { method, path }: { readonly method: string; readonly path: string },
): StubRow[] => {
  const own = method === 'HEAD' ? 'GET' : method;
  return Array.from(stubs).filter((stub) => stub.method === own && readPath(stub.path).like.test(path));
};

/**
 * The stubs that match the call, of those for its path. A more exact path comes first, then more conditions, then the
 * earlier stub.
 */
export const findStubs = (ofPath: readonly StubRow[], call: MatchedCall & { readonly headers: Headers }) => {
  const matches = matcherOf(call);
  const sends = ([name, value]: [string, string]): boolean =>
    [call.headers[name.toLowerCase()]].flat().includes(value);
  return ofPath
    .filter(
      ({ match: { headers = {}, ...more } = {} }) => Object.entries(headers).every(sends) && matches(more),
    )
    .sort(
      (left, right) =>
        readPath(left.path).rank.localeCompare(readPath(right.path).rank) ||
        conditionsIn(right) - conditionsIn(left),
    );
};

const conditionsIn = ({ match, needs }: StubRow): number => leavesIn([match, needs]);

const leavesIn = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((count, member) => count + leavesIn(member), 0)
    : Number(value !== undefined);

/**
 * The names in a stub's path, with `*` for the rest, and the paths that it answers. Sorted by `rank`, a text in a segment
 * comes before a name with a verb (`{id}:disconnect`), that before a name, and a name before the rest of the path.
 */
export const readPath = lazily((path: string) => {
  const names: string[] = [];
  const segments = path.split('/').map((segment) => {
    const [, name, verb = ''] = /^\{([\w-]+)\}(.*)$/.exec(segment) ?? [];
    if (name !== undefined || segment === '*') names.push(name ?? segment);
    if (segment === '*') return { like: '(.*)', rank: 4 };
    if (name !== undefined) return { like: `([^/]+)${escaped(verb)}`, rank: verb === '' ? 3 : 2 };
    return { like: escaped(segment), rank: 1 };
  });
  const like = new RegExp(`^${segments.map((segment) => segment.like).join('/')}$`, 's');
  return { names, like, rank: segments.map(({ rank }) => rank).join('') };
});

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The values of the names in a stub's path, decoded, and of `*`; undefined if the path of the call does not fit. */
export const valuesInPath = (pattern: string, path: string): Readonly<Record<string, string>> | undefined => {
  const { names, like } = readPath(pattern);
  const found = like.exec(path);
  const values = names.map((name, nth) => [
    name,
    name === '*' ? found?.[nth + 1] : decode(found?.[nth + 1] ?? ''),
  ]);
  return found ? Object.fromEntries(values) : undefined;
};
