import { expect, test } from '@jest/globals';
import express from 'express';
import { Refusal } from '../../../src/engine/core/errors.ts';
import type { Environments } from '../../../src/engine/environments/all-environments.ts';
import { html } from '../../../src/engine/pages/layout.ts';
import { mountHostedPages } from '../../../src/engine/pages/pages.ts';
import { service } from '../../../src/service/index.ts';
import { type Answer, listeningServer, rawRequest, send } from '../../support/server.ts';
import { CHAT, CRM, GRACE, hostedPages, MAIL } from './hosted.ts';

const { env, visit, post, unchanged } = await hostedPages();
const behindProxy = await hostedPages({ baseUrl: 'https://mock.acme.test' });

const APPROVE = { decision: 'approve' };
const DECIDED = `${MAIL}?decision=approve`;

const policyOf = ({ headers }: Answer): string => headers['content-security-policy'] ?? '';

test.each([
  [MAIL, 200, "'self' http: https:", 'same-origin'],
  [CRM, 200, "'self' http: https:", 'same-origin'],
  [CHAT, 200, "'self' https://mock.acme.test", 'same-origin'],
  [GRACE, 200, "'self'", 'same-origin'],
  ['/connect/success', 200, "'none'", 'no-referrer'],
  ['/magicLink/unknown', 404, "'none'", 'no-referrer'],
  ['/connect/elsewhere', 404, "'none'", 'no-referrer'],
])('%s (%i) has no script and no address of another server; its form leads to %s, and its referrer is %s', async (path, status, action, referrer) => {
  const answer = await behindProxy.visit(path);
  expect(answer.status).toBe(status);
  expect(answer.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': referrer,
  });
  expect(policyOf(answer).replace(/'sha256-[\w+/]{43}='/, 'HASH')).toBe(
    `default-src 'none'; style-src HASH; img-src data:; base-uri 'none'; frame-ancestors 'none'; form-action ${action}`,
  );
  expect(answer.text).not.toMatch(/<script|\sstyle=|\son\w+=|\ssrc=|href="(?!data:)|@import|url\(/);
});

test('a redirect from a page sends no referrer', async () => {
  const { headers } = await post(MAIL, APPROVE);
  expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
});

test.each([
  ['Sec-Fetch-Site', 'cross-site'],
  ['Sec-Fetch-Site', 'same-site'],
  ['Origin', 'https://evil.test'],
  ['Origin', 'null'],
  ['Origin', 'http://127.0.0.1:1'],
])('a post from another site shows a 403 page and decides nothing: %s %s', async (name, value) => {
  for (const path of [MAIL, CRM, GRACE]) {
    const form = { ...APPROVE, api_key: 'k' };
    const { status, text } = await unchanged(() => post(path, form, { [name]: value }));
    expect([status, text]).toEqual([403, expect.stringContaining('data-testid="cross-site"')]);
  }
});

test('a post from the page itself is accepted, also through a proxy if it comes from the base URL', async () => {
  const headers = { Host: '127.0.0.1:1', Origin: 'http://127.0.0.1:1', 'Sec-Fetch-Site': 'same-origin' };
  expect((await post(MAIL, APPROVE, headers)).status).toBe(302);
  const proxied = await behindProxy.post(MAIL, APPROVE, { Origin: 'https://mock.acme.test' });
  expect(proxied.status).toBe(302);
});

test('a form over 64 KiB shows a 413 page', async () => {
  const { status, text } = await post(CRM, { api_key: 'k'.repeat(64 * 1024) });
  expect([status, text]).toEqual([413, expect.stringContaining('data-testid="refused"')]);
  expect((await post(CRM, { api_key: 'k'.repeat(63 * 1024) })).status).toBe(302);
});

const FORM = 'application/x-www-form-urlencoded';

test.each([
  ['application/json', '{"api_key":"k"}', FORM],
  ['multipart/form-data; boundary=x', '--x--', FORM],
  [FORM, 'api_key=k&__proto__=polluted', '__proto__'],
])('behaviour T10: a form sent as %s, %s, shows a 400 page that names what is wrong', async (type, body, words) => {
  const headers = { 'Content-Type': type };
  const { status, text } = await unchanged(() => visit(CRM, { method: 'POST', headers, body }));
  expect([status, text]).toEqual([400, expect.stringContaining(words)]);
});

test.each(['PUT', 'DELETE', 'OPTIONS'])('%s shows a 405 page with the allowed methods', async (method) => {
  for (const [path, allow] of [[MAIL, 'GET, HEAD, POST'] as const, ['/connect/success', 'GET, HEAD']]) {
    const { status, headers } = await visit(path, { method });
    expect([status, headers.allow]).toEqual([405, allow]);
  }
});

test.each([
  ...['/magicLink', '/magicLink/', `${MAIL}/`, `${MAIL}/more`],
  ...['/invitations/', '/connect', '/connect/success/', '/magicLink/%FF'],
])('%s shows a 404 page', async (path) => {
  const { status, text } = await visit(path);
  expect([status, text]).toEqual([404, expect.stringContaining('data-testid="page-unknown"')]);
});

test.each([
  ...['/magiclink', '/magiclink/x', '/magicLinks/x'],
  ...['/<script>alert(1)</script>', '/api/v1/<img src=x onerror=alert(1)>', '/_mock/<script>'],
])('a call to %s is answered with JSON, which browsers do not show as a page', async (path) => {
  const { status, headers } = await visit(path, { headers: { accept: 'text/html' } });
  expect([status, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
});

test.each([
  [
    'an error of the mock itself shows a 500 page without a stack trace, and is reported',
    500,
    [expect.any(TypeError)],
  ],
  ['behaviour E8: a refusal is shown on a page, and not reported as an error of the mock', 503, []],
] as const)('%s', async (_what, expected, reported) => {
  const faults: unknown[] = [];
  const app = express();
  const findByKey = () => {
    throw new Refusal('UNAVAILABLE', 'The environment was reset.', 'Open the link again.');
  };
  // Every other call on it fails.
  const environments = { service, ...(expected === 503 && { findByKey }) } as unknown as Environments;
  mountHostedPages(app, environments, (error) => faults.push(error));
  const { status, text } = await send(app, 'GET', MAIL);
  const name = expected === 503 ? 'refused' : 'internal-error';
  expect([status, text]).toEqual([expected, expect.stringContaining(`data-testid="${name}"`)]);
  expect(text).not.toMatch(/at \w+ \(|node:internal|findByKey/);
  expect(faults).toEqual(reported);
});

const browser = (dest: string, mode: string, site: string) => ({
  'sec-fetch-dest': dest,
  'sec-fetch-mode': mode,
  'sec-fetch-site': site,
});

test.each([
  ['an iframe', browser('iframe', 'navigate', 'cross-site')],
  ['an object', browser('object', 'navigate', 'same-origin')],
  ...['frame', 'embed', 'fencedframe'].map((dest) => [dest, { 'sec-fetch-dest': dest }] as const),
  ['a prefetch', { ...browser('document', 'navigate', 'none'), 'sec-purpose': 'prefetch' }],
  ['a prerender', { 'sec-fetch-dest': 'document', 'sec-purpose': 'prefetch;prerender' }],
  ['a prefetch of an older browser', { purpose: 'Prefetch' }],
  ['a prefetch of another older browser', { 'x-moz': 'prefetch' }],
  ['a browser that says no more', { 'sec-fetch-site': 'same-origin' }],
  ['a preview', { 'x-purpose': 'preview' }],
  ['an image', browser('image', 'no-cors', 'same-origin')],
  ['a script of another site', browser('script', 'cors', 'same-site')],
] as const)('behaviour V5: %s does not decide a link with ?decision=', async (_what, headers) => {
  expect((await unchanged(() => visit(DECIDED, { headers }))).status).toBe(200);
  const byLink = browser('document', 'navigate', 'cross-site');
  expect((await visit(DECIDED, { headers: byLink })).status).toBe(302);
});

const HOSTILE = `"><img src=x onerror=alert(1)><script>alert('1')</script>&\``;

test('values in a page are escaped once, in text and in attributes; undefined and false write nothing', () => {
  const shown =
    '&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;&#96;';
  expect(html`<p title="${HOSTILE}">${HOSTILE}</p>`.toString()).toBe(`<p title="${shown}">${shown}</p>`);
  const items = ['<a>', '<b>'].map((item) => html`<li>${item}</li>`);
  expect(html`<ul>${items}</ul>${html`<hr>`}${undefined}${false}${0}`.toString()).toBe(
    '<ul><li>&lt;a&gt;</li><li>&lt;b&gt;</li></ul><hr>0',
  );
  const forged = { toString: () => '<script>' } as unknown as string; // only looks like HTML, as a JavaScript caller could pass it
  expect(html`${forged}`.toString()).toBe('&lt;script&gt;');
});

// Pages for browsers show values as text, and the server accepts forms only from its own pages.

const server = await listeningServer();

test.each([
  '/_mock/',
  '/_mock/docs',
])('injected markup cannot change where the links of %s lead', async (path) => {
  expect(policyOf(await visit(path, { headers: { accept: 'text/html' } }))).toContain("base-uri 'none'");
});

test('a value with markup is shown as text', async () => {
  const pairs = ['mail', 'crm'].map((connector) => ({ connector, identifier: HOSTILE }));
  await env.patchState({
    organizations: [{ id: 'org_100000000000000001', display_name: HOSTILE }],
    connected_accounts: pairs.map((pair) => ({ ...pair, organization_id: 'acme', status: 'PENDING_AUTH' })),
    authorization_links: pairs.map((pair) => ({
      ...pair,
      token: `hostile-${pair.connector}`,
      state: HOSTILE,
    })),
  });
  for (const path of ['/magicLink/hostile-mail', '/magicLink/hostile-crm', GRACE]) {
    const { text } = await visit(path);
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;&lt;script&gt;');
    expect(text).not.toMatch(/<img|<script/);
  }
});

test.each([
  ['a host name that was rebound to this machine', 'evil.test:4720', 403],
  ['a host name that only begins with localhost', 'localhost.evil.test', 403],
  ['an IP address of this machine', '127.0.0.1:4720', 302],
  ['a host name that always means this machine', 'production.localhost:4720', 302],
])('a form from a page on %s (%s) gets a %i', async (_what, host, status) => {
  const { pathname } = new URL((await link('https://a.test')).body.link);
  const headers = [
    ...[`Host: ${host}`, `Origin: http://${host}`, 'Sec-Fetch-Site: same-origin', 'Connection: close'],
    ...['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 16'],
  ];
  const answer = await server.raw(
    [`POST ${pathname} HTTP/1.1`, ...headers, '', 'decision=approve'].join('\r\n'),
  );
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

// An authorization link sends users only to its `user_verify_url`, and nobody can change that address.

const link = (user_verify_url: string, state?: string): Promise<Answer> =>
  server.call('POST', '/api/v1/connected_accounts/magic_link', {
    body: { connector: 'mail', identifier: 'ada@acme.test', user_verify_url, state },
  });

const follow = (address: string): Promise<Answer> =>
  server.call('GET', address.slice(server.mock.url.length), { token: null });

test.each([
  ...['javascript:alert(1)', 'JavaScript:alert(1)//https://a.test'],
  ...['data:text/html,<script>alert(1)</script>', 'vbscript:x', 'file:///etc/passwd', 'ftp://a.test'],
  ...['//evil.test/path', '/path', 'evil.test', 'https:evil.test', 'https:\\\\evil.test'],
  ...['https:///evil.test', 'https://', 'https://?x', 'https://\\evil.test'],
  ...['https://a.test\\@evil.test', ' https://a.test', 'https://a.test ', 'https://a b.test'],
  ...['https://a\tb.test', 'https://a.test/\r\nSet-Cookie: a=b', 'https://a.test/\u0000'],
  ...['https://a.test/\u2028', 'https://[::1', 'https://a.test:99999', 'https://a%2fb.test'],
  ...['http://%00', 'https://xn--', 'https://.', 'https://a..test', 'https://:443'],
])('behaviour I5: a new link with the user_verify_url %j is refused with a 400', async (address) => {
  const { status, body } = await link(address);
  expect(status).toBe(400);
  expect(body.details[0].validation_error_info.field_violations[0].field).toBe('user_verify_url');
});

test.each([
  ['https://app.acme.test/back?keep=%20me#part', 'https://app.acme.test'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://[::1]:3000/back', 'http://[::1]:3000'],
  ['https://app.acme.test./back', 'https://app.acme.test.'],
  ['https://user:pass@app.acme.test/@evil.test', 'https://app.acme.test'],
])('the redirect goes to the host of %s, and the page names this host', async (address, origin) => {
  const host = new URL(origin).host;
  const { body } = await link(address, 'a');
  expect((await follow(body.link)).text).toContain(`you return to ${host}.`.replace(/^you r/, 'ou r'));
  for (const decision of ['deny', 'approve']) {
    const made = (await link(address, 'a')).body.link;
    const answer = await follow(`${made}?decision=${decision}`);
    expect(answer.status).toBe(302);
    expect(new URL(answer.headers.location ?? '').origin).toBe(origin);
  }
});

test.each([
  'x\r\nSet-Cookie: stolen=1\r\n\r\n<script>alert(1)</script>',
  '&auth_request_id=forged#fragment',
  '\u2028\u0000\u0085é💩',
  '../../..//evil.test',
])('the state %j is returned unchanged, and only in the query of the redirect', async (state) => {
  const { body } = await link('https://app.acme.test/back', state);
  const { headers } = await follow(`${body.link}?decision=approve`);
  const location = new URL(headers.location ?? '');
  expect(location.href).toMatch(/^https:\/\/app\.acme\.test\/back\?[\x21-\x7e]+$/);
  expect(location.searchParams.getAll('state')).toEqual([state]);
  expect(location.searchParams.getAll('auth_request_id')).toHaveLength(1);
  expect(headers['set-cookie']).toBeUndefined();
  expect(location.hash).toBe('');
});

test('parameters that a visitor adds to a link cannot change where the link leads', async () => {
  const made = (await link('https://app.acme.test/back')).body.link;
  const more = 'redirect=https://evil.test&user_verify_url=https://evil.test&state=x';
  const { headers } = await follow(`${made}?decision=approve&${more}`);
  expect(headers.location).toMatch(/^https:\/\/app\.acme\.test\/back\?auth_request_id=[\w-]+$/);
});

test('a path that contains another host gets a 404, never a redirect', async () => {
  const paths = ['//evil.test', '/magicLink//evil.test', '/magicLink/%2f%2fevil.test', '/connect//evil.test'];
  for (const path of paths) {
    const answer = await server.raw(rawRequest(`GET ${path} HTTP/1.1`));
    expect(answer).toMatch(/^HTTP\/1.1 404 /);
    expect(answer).not.toMatch(/^location:/im);
  }
});
