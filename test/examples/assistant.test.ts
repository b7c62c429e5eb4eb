/**
 * A whole application of agents, offline, from the scenario `agents`: it creates a user and invites them, signs them in by
 * code, lists tools, executes one, and loops with its model until the model answers.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import { afterAll, expect, test } from '@jest/globals';
import { createMock, startMock } from '#mock';
import { serveHttp } from '../support/http-server.ts';
import { callsOf } from '../support/server.ts';

const mock = await createMock({ scenario: 'agents' });
afterAll(() => mock.close());
const env = await mock.environment();

const { call } = callsOf(mock);

test('an application of agents runs offline from one scenario', async () => {
  const { clientId: client_id = '', clientSecret: client_secret = '' } = env.credentials;
  const grant = async (fields: Record<string, string>) => {
    const body = new URLSearchParams({ client_id, client_secret, ...fields });
    return (await call('POST', '/oauth/token', { body, token: null })).body;
  };
  const { access_token: token } = await grant({ grant_type: 'client_credentials' });
  const post = async (path: string, body: object) => (await call('POST', path, { body, token })).body;

  const { user } = await post('/api/v1/users', { email: 'new@acme.test' });
  const { organizations = [] } = await env.state();
  await post(`/api/v1/memberships/organizations/${organizations[0]?.id}/users/${user.id}`, {});
  expect((await env.outbox()).map(({ to }) => to)).toEqual(['new@acme.test']);
  const { id_token } = await grant({ grant_type: 'authorization_code', code: user.id });
  const claims = JSON.parse(Buffer.from(id_token.split('.')[1], 'base64url').toString());
  expect(claims).toMatchObject({ sub: user.id, aud: 'dev-client' });

  // Asks the model, and executes the tools that it wants, until it answers.
  const { tools } = (await call('GET', '/api/v1/tools', { token })).body;
  const messages: object[] = [{ role: 'user', content: 'What is new?' }];
  const ask = async () => (await post('/v1/chat/completions', { messages, tools })).choices[0].message;
  let message = await ask();
  while (message.tool_calls) {
    messages.push(message);
    for (const { function: called } of message.tool_calls) {
      const account = { connector: 'gmail', identifier: 'ada@acme.test' };
      const sent = { tool_name: called.name, ...account, params: JSON.parse(called.arguments) };
      const { data } = await post('/api/v1/execute_tool', sent);
      messages.push({ role: 'tool', content: JSON.stringify(data) });
    }
    message = await ask();
  }
  expect(message.content).toBe('You have three new mails.');

  const calls = await env.requests({ path: '/api/v1/execute_tool' });
  expect(calls).toMatchObject([
    {
      stub: expect.stringMatching(/^POST .api.v1.execute_tool for /),
      response: { body: { data: { sent: { limit: 3 } } } },
    },
  ]);
  const { connected_accounts = [] } = await env.state();
  expect(new Set(connected_accounts.map(({ status }) => status)).size).toBe(5);
});

test.each([
  ['gmail', 'ada@acme.test', 200, 'gmail'],
  ['googlecalendar', 'ada@acme.test', 400, 'googlecalendar/ada@acme.test is EXPIRED'],
  ['notion', 'ada@acme.test', 400, 'notion/ada@acme.test is DISCONNECTED'],
  ['gmail', 'nobody@acme.test', 404, 'gmail/nobody@acme.test'],
])('behaviour X6: a tool of %s for %s is answered with %i', async (connector, identifier, status, words) => {
  const body = { tool_name: connector, connector, identifier };
  const answer = await call('POST', '/api/v1/execute_tool', { body });
  expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(words)]);
});

// The guide's program that turns events into webhooks.

test('webhooks.mjs posts a change of the environment to the application', async () => {
  await using mock = await startMock({ port: 0, log: 'silent' });
  const env = await mock.environment();
  let receive: (event: string) => void;
  const received = new Promise<string>((resolve) => {
    receive = resolve;
  });
  await using application = await serveHttp(async (request, response) => {
    const event = JSON.stringify(await json(request));
    response.end();
    if (event.includes('ca_100000000000000001')) receive(event);
  });
  const program = spawn(process.execPath, ['test/examples/webhooks.mjs', `${application.url}/webhooks`], {
    env: { ...process.env, CA_MOCK_URL: mock.url },
    stdio: 'ignore',
  });
  await env.accounts.disconnect('mail/ada@acme.test');
  expect(await received).toContain('DISCONNECTED');
  program.kill();
  await once(program, 'exit');
});
