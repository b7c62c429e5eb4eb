/** Pages in a browser: what they may load, who may frame them, and that values are shown as text. */
import { beforeAll, expect, test } from '@jest/globals';
import { type Isolated, listeningServer } from '../support/server.ts';

const HOSTILE = `"><img src=x onerror=alert(1)><script>alert('1')</script>\``;

const server = await listeningServer();
let env: Isolated;
let pages: string[];
beforeAll(async () => {
  env = await server.isolated();
  const organizations = [{ id: 'org_100000000000000001', display_name: HOSTILE }];
  expect((await env.control('PATCH', '/state', { organizations })).status).toBe(200);
  pages = [...(await links()), await invitation(), '/connect/success', '/magicLink/x', '/connect/x'];
});

const links = async (): Promise<string[]> => {
  const made = ['mail', 'crm'].map(async (connector) => {
    const body = {
      connector,
      identifier: HOSTILE,
      organization_id: 'org_100000000000000001',
      state: HOSTILE,
    };
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

const open = async (path: string): Promise<{ page: string; policy: string; type: string }> => {
  const { text, headers } = await server.call('GET', path, { token: null, headers: { accept: 'text/html' } });
  return {
    page: text,
    policy: headers['content-security-policy'] ?? '',
    type: headers['content-type'] ?? '',
  };
};

const coverage = (): string => `/_mock/environments/${env.name}/coverage`;

test('pages cannot be framed, and do not run injected scripts', async () => {
  const opened = await Promise.all([...pages, coverage(), '/_mock/', '/_mock/docs'].map(open));
  expect(opened.map(({ type }) => type)).toEqual(opened.map(() => 'text/html; charset=utf-8'));
  for (const { policy } of opened) {
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).not.toMatch(/script-src[^;]*(unsafe|\*|http)/);
  }
});

test('a value with markup is shown as text', async () => {
  const opened = await Promise.all(pages.slice(0, 3).map(open));
  for (const { page } of opened) {
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;&lt;script&gt;');
    expect(page).not.toMatch(/<img|<script/);
  }
});

test('the name of an environment cannot have markup', async () => {
  expect((await server.control('POST', '/environments', { name: '<b>' })).status).toBe(400);
});

test.each([
  '/<script>alert(1)</script>',
  '/api/v1/<img src=x onerror=alert(1)>',
  '/_mock/<script>',
])('%s is answered as JSON, which browsers do not show as a page', async (path) => {
  const { type } = await open(path);
  expect(type).toBe('application/json; charset=utf-8');
});

test.each([
  ['a name that was rebound to this machine', 'evil.test:4720', 403],
  ['a name that only begins like ours', 'localhost.evil.test', 403],
  ['an address', '127.0.0.1:4720', 302],
  ['a name that always means this machine', 'production.localhost:4720', 302],
])('a form that is sent from %s is checked', async (_what, host, status) => {
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
