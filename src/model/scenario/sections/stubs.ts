/** Stubs of a scenario: answers for paths that the contract does not have (behaviour X4). */
import { loadContract, operationsAt } from '../../../contract/load.ts';
import { described, type FormOf, type MemberSchema, object, oneOf, SWITCH } from './members.ts';
import type { Section } from './section.ts';

const PATH: MemberSchema<string> = {
  type: 'string',
  pattern: '^/[^?#]*$',
  'x-expected': 'a path such as /api/v1/tools/{name}, without a query',
  description: '{name} matches one segment, and /* at the end matches the rest.',
};
const HEADERS: MemberSchema<Readonly<Record<string, string>>> = {
  type: 'object',
  additionalProperties: { type: 'string' },
};
const STATUS: MemberSchema<number> = { type: 'integer', minimum: 200, maximum: 599 };
const DELAY: MemberSchema<number> = { type: 'integer', minimum: 0, maximum: 600_000 };
const BODY: MemberSchema<unknown> = { description: 'Any JSON. Default: {}.' };

const FORM = object({
  method: oneOf('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
  path: PATH,
  status: STATUS,
  body: BODY,
  headers: HEADERS,
  delay_ms: described(DELAY, 'Milliseconds of real time before the answer.'),
  auth: described(SWITCH, 'Whether a call needs an access token, as API calls do.'),
});

const DEFAULTS = { status: 200, body: {}, headers: {}, delay_ms: 0, auth: true };

export const stubs: Section<'stubs', FormOf<typeof FORM>> = {
  name: 'stubs',
  noun: 'stub',
  example: '{ method: GET, path: /api/v1/tools, body: { tools: [] } }',
  idMember: 'path',
  schema: FORM,
  toRow: (_, { form, problem }) => {
    const { method, path } = form;
    if (method === undefined || path === undefined)
      return problem(undefined, 'a stub needs a method and a path');
    const own = operationsAt(loadContract(), path).find((each) => each.method === method.toLowerCase());
    if (own)
      problem(
        'path',
        `${method} ${path} is the operation ${own.operationId}, so the mock answers it without a stub; to change the answers, use a fault`,
      );
    return { ...DEFAULTS, ...form, method, path };
  },
  toForm: (_, row) => ({ members: row }),
};
