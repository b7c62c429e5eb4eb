/** `--validate-responses`: what happens to replies that lack a member which the contract of these tests requires. */
import { expect, test } from '@jest/globals';
import supertest from 'supertest';
import type { ResponseValidation } from '../../../src/engine/http/validate.ts';
import { ACCOUNTS, asking, openWith, UNGIVEN } from '../../support/contract.ts';

const open = (replies: object, validateResponses: ResponseValidation) => {
  const { app, environments, told } = openWith(asking('post', replies), validateResponses);
  const authorization = 'Bearer dev-token';
  return {
    told,
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
  const mock = open(replies, 'on');
  const { status, body } = await mock.create(connector);
  expect(status).toBe(500);
  expect(body).toMatchObject({
    code: 13,
    message: expect.stringContaining('createConnectedAccount broke the contract'),
    details: [{ error_code: 'INTERNAL_ERROR', debug_info: { detail: body.message, stack_entries: [] } }],
  });
  expect((await mock.find()).body.total_size).toBe(0);
  expect(mock.told).toEqual([BROKEN]);
});

test.each<[ResponseValidation, unknown[]]>([
  ['report', [BROKEN]],
  ['off', []],
])('validateResponses %s: a reply that breaks the contract is sent, its change is stored, and reports are counted', async (validation, expected) => {
  const mock = open({ 201: UNGIVEN }, validation);
  expect(await mock.create()).toMatchObject({
    status: 201,
    body: { connected_account: { connector: 'mail' } },
  });
  expect((await mock.find()).body.total_size).toBe(1);
  expect(mock.told).toEqual(expected);
  expect(mock.violations()).toBe(expected.length);
});
