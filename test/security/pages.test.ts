/** Pages for browsers show values as text, and the server accepts forms only from its own pages. */
import { beforeAll, expect, test } from '@jest/globals';
import { type Isolated, listeningServer } from '../support/server.ts';

const HOSTILE = `"><img src=x onerror=alert(1)><script>alert('1')</script>\``;

const server = await listeningServer();
let env: Isolated;
beforeAll(async () => {
  env = await server.isolated();
  const organizations = [{ id: 'org_100000000000000001', display_name: HOSTILE }];
  expect((await env.control('PATCH', '/state', { organizations })).status).toBe(200);
});

const links = async (): Promise<string[]> => {
  const shown = { identifier: HOSTILE, organization_id: 'org_100000000000000001', state: HOSTILE };
  const made = ['mail', 'crm'].map(async (connector) => {
    const body = { connector, ...shown };
    const { body: answer } = await env.api('POST', '/api/v1/connected_accounts/magic_link', body);
    return new URL(answer.link).pathname;
  });
  return Promise.all(made);
};

const invitation = async (): Promise<string> => {
  const member = '/api/v1/memberships/organizations/org_100000000000000001/users/usr_100000000000000005';
  await env.api('POST', member, {});
  const { emails } = (await env.control('GET', '/outbox')).body;
  return new URL(emails[0].link).pathname;
};

const open = (path: string) => server.call('GET', path, { token: null, headers: { accept: 'text/html' } });

test.each([
  '/_mock/',
  '/_mock/docs',
])('injected markup cannot change where the links of %s lead', async (path) => {
  expect((await open(path)).headers['content-security-policy']).toContain("base-uri 'none'");
});

test('a value with markup is shown as text', async () => {
  for (const path of [...(await links()), await invitation()]) {
    const { text } = await open(path);
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;&lt;script&gt;');
    expect(text).not.toMatch(/<img|<script/);
  }
});

test.each([
  '/<script>alert(1)</script>',
  '/api/v1/<img src=x onerror=alert(1)>',
  '/_mock/<script>',
])('a call to %s is answered with JSON, which browsers do not show as a page', async (path) => {
  const { headers } = await open(path);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
});

test.each([
  ['a host name that was rebound to this machine', 'evil.test:4720', 403],
  ['a host name that only begins with localhost', 'localhost.evil.test', 403],
  ['an IP address of this machine', '127.0.0.1:4720', 302],
  ['a host name that always means this machine', 'production.localhost:4720', 302],
])('a form from a page on %s (%s) gets a %i', async (_what, host, status) => {
  const [path] = await links();
  const headers = [
    `Host: ${host}`,
    `Origin: http://${host}`,
    'Sec-Fetch-Site: same-origin',
    'Content-Type: application/x-www-form-urlencoded',
    'Content-Length: 16',
  ];
  const lines = [`POST ${path} HTTP/1.1`, ...headers, 'Connection: close', '', 'decision=approve'];
  const answer = await server.raw(lines.join('\r\n'));
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});
