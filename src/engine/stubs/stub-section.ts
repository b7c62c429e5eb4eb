/** Stubs of a scenario: answers to calls that the contract does not have or whose body it refuses (behaviour X4-X6). */
import { operationsAt } from '../contract/load.ts';
import { refusesBody } from '../contract/refused-body.ts';
import { headersProblem } from '../core/headers.ts';
import { defined, valueAt } from '../core/object.ts';
import { getRow, rowsBy } from '../core/table.ts';
import { bodyProblem } from '../environments/call-match.ts';
import type { Path } from '../scenario/scenario-text.ts';
import { extend } from '../scenario/schema.ts';
import type { Api, LiveThing, OpenState, RowView, Section, WrittenRow } from '../scenario/section.ts';
import { type Fillers, fillProblem } from './echo.ts';
import {
  callsOf,
  OF_REPLY,
  readPath,
  STUB_FORM,
  STUB_METHODS,
  type StubForm,
  type StubReply,
  type StubRow,
  stubName,
} from './stub.ts';

export const STUB_VIEW = {
  label: 'Stubs',
  group: 'Other',
  name: 'path',
  about: ['method'],
  columns: ['status', 'body', 'auth'],
  key: ['method', 'path'],
  fields: [
    { name: 'method', pick: STUB_METHODS, required: true },
    { name: 'path', required: true },
    { name: 'status' },
  ],
} satisfies RowView;

/** The stubs of a service. @param live what a stub can ask to be live */
export const stubsOf = (live?: LiveThing): Section<StubRow, StubForm> => ({
  name: 'stubs',
  noun: 'stub',
  example: '{ method: GET, path: /api/v1/tools, body: { tools: [] } }',
  idMember: 'path',
  asRow: (form) => ({ ...form, needs: needsOf(form, live) }),
  schema: live ? extend(STUB_FORM, { [live.member]: live.schema }) : STUB_FORM,
  toRow: (open, written) => rowOf(open, written, live),
  replaces: {
    ...Object.fromEntries(OF_REPLY.map((name) => [name, ['replies']])),
    replies: [...OF_REPLY, 'answered'],
  },
  toForm: (_, { replies, answered, needs, ...row }) => ({
    ...row,
    ...(replies.length > 1 ? { replies } : replies[0]),
    ...(live && needs !== undefined && { [live.member]: needs }),
    ...(answered > 0 && { answered }),
  }),
  complete: (open, rows) => {
    for (const [id, { problem }] of rows('stubs')) {
      const row = getRow(open.state.stubs, id);
      const [first] = row ? rowsBy(open.state.stubs, 'calls', callsOf(row)) : [];
      const other = first && stubName(first);
      if (other !== undefined && other !== id)
        problem('path', `can never answer, since the stub ${other} answers each of its calls; remove one`);
    }
  },
});

const rowOf = (open: OpenState, written: WrittenRow<StubForm>, live?: LiveThing): StubRow | undefined => {
  const { form, problem } = written;
  const { method, path, match, then, auth = true, replies: list, answered = 0, ...single } = form;
  if (method === undefined || path === undefined)
    return problem(undefined, 'a stub needs a method and a path');
  const twice = list && OF_REPLY.find((name) => name in single);
  if (twice !== undefined)
    return problem(twice, `${twice} has no effect beside replies; write it in an item of replies`);
  const [first = single, ...more] = list ?? [];
  const replies: StubRow['replies'] = [withDefaults(first), ...more.map(withDefaults)];
  const row: StubRow = { method, path, replies, auth, answered: Math.min(answered, replies.length) };
  checkForm(written, row, open.api);
  const needs = needsOf(form, live);
  if (needs !== undefined) live?.check(open, written, needs);
  return { ...row, ...defined({ match, then, needs }) };
};

/** The name of the row that a stub needs: a text, since the schema accepts nothing else. */
const needsOf = (form: StubForm, live?: LiveThing): string | undefined =>
  live && (valueAt(form, live.member) as string | undefined);

type ReplyForm = Partial<StubReply>;

const withDefaults = (reply: ReplyForm): StubReply => ({
  status: 200,
  headers: {},
  delay_ms: 0,
  ...(!isBodiless(reply.status) && { body: {} }),
  ...reply,
});

const isBodiless = (status = 200): boolean => [204, 205, 304].includes(status);

type Tell = WrittenRow['problem'];

const checkForm = ({ form, problem }: WrittenRow<StubForm>, row: StubRow, api: Api): void => {
  const { method, path } = row;
  const { match, path: _, ...filled } = form;
  const { replies = [], then = {} } = form;
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const wrong = pathProblem(path, api) ?? operationProblem(api, row, match?.body);
  if (wrong !== undefined) problem('path', wrong);
  checkReply(form, [], problem);
  for (const [index, reply] of replies.entries()) checkReply(reply, ['replies', index], problem);
  if (match?.body && !hasBody) problem(['match', 'body'], bodyProblem(method, 'match.body'));
  const fillers = { names: readPath(path).names, prefixes: api.prefixes, hasBody };
  checkFilled(filled, [], fillers, problem);
  for (const [name, rows] of Object.entries(then))
    if (FIXED.includes(name))
      problem(['then', name], 'a stub cannot change this; it can write rows of the other lists');
    else if ([rows].flat().length === 0 || [rows].flat().some((row) => typeof row === 'string'))
      problem(['then', name], 'must be a list of one or more rows; placeholders stand in their members');
};

/** What a call must not change in an environment. */
const FIXED = ['id', 'settings', 'access_tokens', 'stubs', 'clients'];

const checkReply = ({ status, headers = {}, body }: ReplyForm, at: Path, problem: Tell): void => {
  const found = headersProblem(headers);
  if (found) problem([...at, 'headers', found.name], `${found.words}. ${found.hint}`);
  if (isBodiless(status) && body !== undefined)
    problem([...at, 'body'], `an answer with status ${status} has no body; leave it out`);
};

const checkFilled = (value: unknown, at: Path, fillers: Fillers, problem: Tell): void => {
  const found = fillProblem(value, fillers);
  if (found !== undefined) problem(at, found);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value))
    checkFilled(member, [...at, Array.isArray(value) ? Number(name) : name], fillers, problem);
};

const OWN_FILES = ['/', '/openapi.yaml', '/openapi.json', '/favicon.ico'];

const SENDABLE = /^(?:[A-Za-z0-9._~!$&'()+,;=:@-]|%[0-9A-Fa-f]{2})*$/;

/** Why no call can have a path of this form; undefined if some can. */
const pathProblem = (path: string, { pagePaths }: Api): string | undefined => {
  const segments = path.split('/').slice(1);
  if (OWN_FILES.includes(path) || ['/_mock', ...pagePaths].includes(`/${segments[0]}`))
    return 'the mock itself answers this path, so the stub never would; choose another path';
  const checked = segments.at(-1) === '*' ? segments.slice(0, -1) : segments;
  const [problem] = checked.flatMap((segment) => segmentProblem(segment) ?? []);
  if (problem !== undefined) return problem;
  const { names } = readPath(path);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  return twice && `has the name {${twice}} twice; give each segment a name of its own`;
};

const segmentProblem = (segment: string): string | undefined => {
  if (SENDABLE.test(segment) || /^\{[\w-]+\}(?::[\w.-]+)?$/.test(segment)) return undefined;
  if (/[{}]/.test(segment))
    return `"${segment}" is neither text nor one name in braces, such as {id}; only a verb can follow it: {id}:run`;
  if (segment.includes('*')) return 'a * can only be the last segment, where it matches the rest: /files/*';
  const written = segment.toWellFormed().replace(/%[0-9A-Fa-f]{2}/g, decodeURIComponent);
  return `"${segment}" has characters that a path cannot have as they are; write ${encodeURIComponent(written)}`;
};

/** Refuses a stub for an operation of the contract, unless the contract refuses each body that the stub matches. */
const operationProblem = ({ contract }: Api, { method, path }: StubRow, body?: object) => {
  const spelled = path.replaceAll(/%3a/gi, ':');
  const own = operationsAt(contract, spelled).find((each) => each.method === method.toLowerCase());
  if (!own || refusesBody(contract, own, body)) return undefined;
  return `${method} ${path} is the operation ${own.operationId}, so the mock answers it without a stub; to change the answers, use a fault. A stub may only answer a body that the contract refuses, such as match: { body: { grant_type: authorization_code } } of POST /oauth/token`;
};
