/** `--validate-responses`: what happens to replies that lack a member which the contract of these tests requires. */
import { beforeEach, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { type Contract, loadContract, toContract } from '../../../src/contract/load.ts';
import { createSurfaces } from '../../../src/contract/members.ts';
import { createApp } from '../../../src/library/app.ts';
import { createScenarioLoader } from '../../../src/library/scenario.ts';
import { Environments } from '../../../src/model/environments/environments.ts';
import type { ResponseValidation } from '../../../src/server/http/validate.ts';

const ACCOUNTS = '/api/v1/connected_accounts';
const URL_OF_MOCK = 'http://mock.local';

const UNGIVEN = {
  description: 'A body with a member that the mock does not send.',
  content: { 'application/json': { schema: { type: 'object', required: ['ungiven'] } } },
};

/** The contract, in which `replies` take the place of the 201 and of other responses to a create. */
const asking = (replies: object): Contract => {
  const { document } = loadContract();
  const { [ACCOUNTS]: item = {} } = document.paths;
  if (!item.post) throw new Error('The contract lacks the operation that creates an account.');
  const { 201: _usual, ...others } = item.post.responses;
  const post = { ...item.post, responses: { ...others, ...replies } };
  return toContract({ ...document, paths: { ...document.paths, [ACCOUNTS]: { ...item, post } } });
};

let told: string[];
beforeEach(() => {
  told = [];
});

const open = (contract: Contract, validateResponses: ResponseValidation) => {
  const scenario = createScenarioLoader({}).load();
  const environments = new Environments(scenario, URL_OF_MOCK, createSurfaces(contract));
  const { app } = createApp({
    environments,
    contract,
    validateResponses,
    controlled: {
      environments,
      loadScenario: () => scenario,
      listScenarios: () => [],
      version: '',
      uptime: () => 0,
    },
    onReplyViolation: ({ method, url }, error) => told.push(`${method} ${url}: ${error}`),
    onInternalError: (error) => told.push(`fault: ${error}`),
    logCall: () => {},
  });
  const authorization = 'Bearer dev-token';
  return {
    violations: () => environments.replyViolations,
    create: (connector = 'mail') =>
      supertest(app).post(ACCOUNTS).set({ authorization }).send({ connector, identifier: 'new@acme.test' }),
    find: () => supertest(app).get(`${ACCOUNTS}?identifier=new@acme.test`).set({ authorization }),
  };
};

const BROKEN = expect.stringContaining(
  `POST ${ACCOUNTS}: Internal Server Error: /response must have required property 'ungiven'`,
);

test.each([
  ['a reply that breaks the contract', { 201: UNGIVEN }, 'mail'],
  ['an error reply that breaks the contract', { 201: { description: 'Anything.' }, 400: UNGIVEN }, 'nowhere'],
  ['a contract that every reply breaks', { 201: UNGIVEN, 500: UNGIVEN, default: UNGIVEN }, 'mail'],
  [
    'a status that the contract does not list, so that the default response applies',
    { default: UNGIVEN },
    'mail',
  ],
])('validateResponses on: with %s, the answer is a 500, the violation is reported and nothing is stored', async (_what, replies, connector) => {
  const mock = open(asking(replies), 'on');
  const { status, body } = await mock.create(connector);
  expect(status).toBe(500);
  expect(body).toMatchObject({
    code: 13,
    message: expect.stringContaining('createConnectedAccount broke the contract'),
    details: [{ error_code: 'INTERNAL_ERROR', debug_info: { detail: body.message, stack_entries: [] } }],
  });
  expect((await mock.find()).body.total_size).toBe(0);
  expect(told).toEqual([BROKEN]);
});

test.each<[ResponseValidation, unknown[]]>([
  ['report', [BROKEN]],
  ['off', []],
])('validateResponses %s: a reply that breaks the contract is sent, its change is stored, and reports are counted', async (validation, expected) => {
  const mock = open(asking({ 201: UNGIVEN }), validation);
  expect(await mock.create()).toMatchObject({
    status: 201,
    body: { connected_account: { connector: 'mail' } },
  });
  expect((await mock.find()).body.total_size).toBe(1);
  expect(told).toEqual(expected);
  expect(mock.violations()).toBe(expected.length);
});
