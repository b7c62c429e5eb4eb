/**
 * A whole application of agents, offline, from the scenario `agents`: it creates a user and invites them, signs them in by
 * code, lists tools, executes one, and loops with its model until the model answers.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, expect, test } from '@jest/globals';
import { createMock, startMock } from '#mock';

const mock = await createMock({ scenario: 'agents' });
afterAll(() => mock.close());
const env = await mock.environment();

interface ToolCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}
interface Message {
  readonly role: string;
  readonly content?: string;
  readonly tool_calls?: readonly ToolCall[];
}

/** The application. It knows an address and its client, and nothing of the mock. */
const startApplication = (fetch: typeof mock.fetch, client: { client_id: string; client_secret: string }) => {
  const send = async <Answer>(method: string, path: string, body?: object, token?: string) => {
    const headers = {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    };
    const response = await fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer; // the cast is safe: the calls below name what the service answers
  };
  const grant = async (fields: Record<string, string>): Promise<Record<string, string>> => {
    const body = new URLSearchParams({ ...client, ...fields });
    const response = await fetch('/oauth/token', { method: 'POST', body });
    return (await response.json()) as Record<string, string>;
  };
  return {
    /** The application's own token. */
    start: async (): Promise<string> =>
      (await grant({ grant_type: 'client_credentials' })).access_token ?? '',
    signUp: async (token: string, email: string, organization: string): Promise<string> => {
      const { user } = await send<{ user: { id: string } }>('POST', '/api/v1/users', { email }, token);
      await send('POST', `/api/v1/memberships/organizations/${organization}/users/${user.id}`, {}, token);
      return user.id;
    },
    /** The user's claims. */
    signIn: async (code: string) => {
      const { id_token } = await grant({ grant_type: 'authorization_code', code });
      const [, claims = ''] = String(id_token).split('.');
      return JSON.parse(Buffer.from(claims, 'base64url').toString());
    },
    ask: async (token: string, question: string): Promise<string> => {
      const { tools } = await send<{ tools: object[] }>('GET', '/api/v1/tools', undefined, token);
      const messages: Message[] = [{ role: 'user', content: question }];
      for (let turn = 0; turn < 5; turn += 1) {
        const { choices } = await send<{ choices: [{ message: Message }] }>('POST', '/v1/chat/completions', {
          messages,
          tools,
        });
        const { message } = choices[0];
        messages.push(message);
        if (!message.tool_calls) return message.content ?? '';
        for (const { function: called } of message.tool_calls) {
          const params = JSON.parse(called.arguments);
          const sent = { tool_name: called.name, connector: 'gmail', identifier: 'ada@acme.test', params };
          const made = await send<{ data: object }>('POST', '/api/v1/execute_tool', sent, token);
          messages.push({ role: 'tool', content: JSON.stringify(made.data) });
        }
      }
      throw new Error('The model never answered.');
    },
  };
};

test('an application of agents runs offline from one scenario', async () => {
  const { clientId, clientSecret } = env.credentials;
  const client = { client_id: clientId ?? '', client_secret: clientSecret ?? '' };
  const application = startApplication(mock.fetch, client);
  const token = await application.start();
  const { organizations = [] } = await env.state();

  const user = await application.signUp(token, 'new@acme.test', String(organizations[0]?.id));
  expect((await env.outbox()).map(({ to }) => to)).toEqual(['new@acme.test']);
  expect(await application.signIn(user)).toMatchObject({ sub: user, aud: 'dev-client' });
  expect(await application.ask(token, 'What is new?')).toBe('You have three new mails.');

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
  const response = await mock.fetch('/api/v1/execute_tool', {
    method: 'POST',
    headers: { Authorization: 'Bearer dev-token', 'Content-Type': 'application/json' },
    body: JSON.stringify({ tool_name: connector, connector, identifier }),
  });
  expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(words)]);
});

// The guide's program that turns events into webhooks.

test('webhooks.mjs posts a change of the environment to the application', async () => {
  await using mock = await startMock({ port: 0, log: 'silent' });
  const env = await mock.environment();
  const application = createServer();
  const received = new Promise<object>((resolve) => {
    application.on('request', async (request, response) => {
      const event = (await json(request)) as { type?: string }; // the cast is safe: the test compares what came
      response.end();
      if (JSON.stringify(event).includes('ca_100000000000000001')) resolve(event);
    });
  });
  await once(application.listen(0, '127.0.0.1'), 'listening');
  const address = application.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const program = spawn(
    process.execPath,
    ['test/examples/webhooks.mjs', `http://127.0.0.1:${port}/webhooks`],
    { env: { ...process.env, CA_MOCK_URL: mock.url }, stdio: 'ignore' },
  );
  await env.accounts.disconnect('mail/ada@acme.test');
  expect(JSON.stringify(await received)).toContain('DISCONNECTED');
  program.kill();
  await once(program, 'exit');
  application.closeAllConnections();
  application.close();
});
