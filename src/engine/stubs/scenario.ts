/** Stubs of a scenario: answers to calls that the contract does not have or whose body it refuses (behaviour X4-X6). */

import { headersProblem } from '../core/headers.ts';
import { hasMembers, valueAt } from '../core/object.ts';
import { allRows } from '../core/table.ts';
import type { LiveThing, OpenState, WrittenRow } from '../scenario/loading.ts';
import {
  described,
  extend,
  type FormOf,
  listOf,
  type MemberSchema,
  object,
  oneOf,
  SWITCH,
  WHOLE,
} from '../scenario/member-schemas.ts';
import type { Section } from '../scenario/section.ts';
import type { Path } from '../scenario/yaml.ts';
import { claimsProblem, placeholderProblem } from './echo.ts';
import { operationProblem, pathProblem } from './paths.ts';
import type { StubReply, StubRow } from './stub.ts';
import { isName, partsOf, STUB_METHODS, stubName } from './stub.ts';

const PATH: MemberSchema<string> = {
  type: 'string',
  pattern: '^/[^?#]*$',
  'x-expected': 'a path such as /api/v1/tools/{name}, without a query',
  description: '{name} matches one segment, and /* at the end matches the rest.',
};
const TEXTS: MemberSchema<Readonly<Record<string, string>>> = {
  type: 'object',
  additionalProperties: { type: 'string' },
};
const ANY_MEMBERS: MemberSchema<Readonly<Record<string, unknown>>> = { type: 'object' };
const STATUS: MemberSchema<number> = {
  type: 'integer',
  minimum: 200,
  maximum: 599,
  'x-expected': 'a whole number from 200 to 599',
};
const DELAY: MemberSchema<number> = { type: 'integer', minimum: 0, maximum: 600_000 };
const BODY: MemberSchema<unknown> = {
  description: 'Any JSON; strings may hold {path.name}, {query.name}, {body.a.b}, {now}. Default: {}.',
};

const REPLY = {
  status: STATUS,
  body: BODY,
  headers: TEXTS,
  delay_ms: described(DELAY, 'Milliseconds of real time before the answer.'),
};

const FORM = object({
  method: oneOf(...STUB_METHODS),
  path: PATH,
  match: described(
    { ...object({ query: TEXTS, headers: TEXTS, body: ANY_MEMBERS }), minProperties: 1 },
    'What a call must contain, so that the stub answers it.',
  ),
  ...REPLY,
  replies: described(
    { ...listOf(object(REPLY)), minItems: 1 },
    'Answers in sequence, in place of status, body, headers and delay_ms. The last one stays.',
  ),
  // biome-ignore lint/suspicious/noThenProperty: scenarios have this name, and the value is never a function
  then: described(ANY_MEMBERS, 'Rows that each call leaves behind: the lists that an environment has.'),
  auth: described(SWITCH, 'Whether a call needs an access token, as API calls do.'),
  answered: described(WHOLE, 'How many of the replies were given already.'),
});

export type StubForm = FormOf<typeof FORM>;

const DEFAULTS = { status: 200, body: {}, headers: {}, delay_ms: 0 } satisfies StubReply;
const OF_REPLY = Object.keys(REPLY);

/** The stubs of a service. @param live what a stub can ask to be live */
export const stubsOf = (live?: LiveThing): Section<StubRow, StubForm> => ({
  name: 'stubs',
  noun: 'stub',
  example: '{ method: GET, path: /api/v1/tools, body: { tools: [] } }',
  idMember: 'path',
  schema: live ? extend(FORM, { [live.member]: live.schema }) : FORM,
  toRow: (open, written) => {
    const { form, problem } = written;
    const { method, path, match, then, auth = true, replies: list, answered = 0, ...single } = form;
    if (method === undefined || path === undefined)
      return problem(undefined, 'a stub needs a method and a path');
    const twice = list && OF_REPLY.find((name) => name in single);
    if (twice !== undefined)
      return problem(twice, `${twice} has no effect beside replies; write it in an item of replies`);
    const [first = single, ...more] = list ?? [];
    const replies: StubRow['replies'] = [{ ...DEFAULTS, ...first }, ...more.map(withDefaults)];
    const row: StubRow = { method, path, replies, auth, answered: Math.min(answered, replies.length) };
    for (const check of CHECKS) check(written, row, open);
    const needs = live && valueAt(form, live.member);
    if (typeof needs === 'string') live?.check(open, written, needs);
    return {
      ...row,
      ...(typeof needs === 'string' && { needs }),
      ...(match && hasMembers(match) && { match }),
      ...(then && hasMembers(then) && { then }),
    };
  },
  replaces: {
    status: ['replies'],
    body: ['replies'],
    headers: ['replies'],
    delay_ms: ['replies'],
    replies: [...OF_REPLY, 'answered'],
  },
  toForm: (_, { replies, answered, needs, ...row }) => ({
    ...row,
    ...(live && needs !== undefined && { [live.member]: needs }),
    ...(replies.length > 1 ? { replies } : replies[0]),
    ...(answered > 0 && { answered }),
  }),
  complete: (open, rows) => {
    const written = rows('stubs');
    const first = new Map<string, string>();
    for (const row of allRows(open.state.stubs)) {
      const [id, calls] = [stubName(row), callsOf(row)];
      const other = first.get(calls);
      if (other === undefined) first.set(calls, id);
      else
        written
          .get(id)
          ?.problem(
            'path',
            `can never answer, since the stub ${other} answers each of its calls; remove one`,
          );
    }
  },
});

const withDefaults = (reply: Partial<StubReply>): StubReply => ({ ...DEFAULTS, ...reply });

type Check = (written: WrittenRow<StubForm>, row: StubRow, open: OpenState) => void;

const checkPath: Check = ({ form: { match }, problem }, { method, path }, { api }) => {
  const found = pathProblem(path, api) ?? operationProblem(api.contract, method, path, match?.body);
  if (found !== undefined) problem('path', found);
};

const checkHeaders: Check = ({ form, problem }) => {
  const lists: [Path, StubReply['headers'] | undefined][] = [
    [['headers'], form.headers],
    ...(form.replies ?? []).map(({ headers }, index): [Path, StubReply['headers'] | undefined] => [
      ['replies', index, 'headers'],
      headers,
    ]),
  ];
  for (const [place, headers = {}] of lists) {
    const found = headersProblem(headers);
    if (found) problem([...place, found.name], `${found.words}. ${found.hint}`);
  }
};

const checkMatch: Check = ({ form: { match = {} }, problem }, { method }) => {
  if (match.body !== undefined && (method === 'GET' || method === 'DELETE'))
    problem(['match', 'body'], `${method} calls have no body; match query or headers instead`);
};

const checkPlaceholders: Check = ({ form, problem }, { path }, { api }) => {
  const names = path.split('/').flatMap((segment) => (segment === '*' ? '*' : (partsOf(segment)[0] ?? [])));
  const visit = (value: unknown, at: Path): void => {
    const found =
      typeof value === 'string' ? placeholderProblem(value, names, api.prefixes) : claimsProblem(value);
    if (found !== undefined) problem(at, found);
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value))
      visit(member, [...at, Array.isArray(value) ? Number(name) : name]);
  };
  const needs = api.live?.member ?? '';
  for (const member of ['body', 'headers', 'replies', 'then', needs]) visit(valueAt(form, member), [member]);
};

/** What a call must not change in an environment. */
const FIXED = ['id', 'settings', 'access_tokens', 'stubs', 'clients'];

const checkThen: Check = ({ form: { then = {} }, problem }) => {
  for (const [name, rows] of Object.entries(then))
    if (FIXED.includes(name))
      problem(['then', name], 'a stub cannot change this; it can write rows of the other lists');
    else if ([rows].flat().some((row) => typeof row === 'string'))
      problem(['then', name], 'must be a list of rows; placeholders stand in their members');
};

const CHECKS: readonly Check[] = [checkPath, checkHeaders, checkMatch, checkPlaceholders, checkThen];

const unnamed = (path: string): string =>
  path
    .split('/')
    .map((segment) => (isName(segment) ? `{}${partsOf(segment)[1]}` : segment))
    .join('/');

/** Equal for two stubs that answer the same calls: the names in their paths do not matter. */
const callsOf = (row: StubRow): string => stubName({ ...row, path: unnamed(row.path) });
