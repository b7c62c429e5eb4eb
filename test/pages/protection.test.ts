import { beforeEach, expect, test } from '@jest/globals';
import { advanceClock, type Environment } from '../../src/environments/environment.ts';
import { MINUTE } from '../support/core.ts';
import type { Answer } from '../support/server.ts';
import { accountOf, BASE_URL, hostedPages, hostedState, sealed } from './hosted.ts';

const server = hostedPages();
let environment: Environment;
const MAIL = `/magicLink/${sealed('link-mail')}`;
const CRM = `/magicLink/${sealed('link-crm')}`;
const GRACE = `/invitations/${sealed('token-grace')}`;

beforeEach(() => {
  environment = server.begin();
});

const policyOf = (response: Answer): string => response.headers['content-security-policy'] ?? '';

test.each([
  [MAIL, 200],
  [GRACE, 200],
  ['/connect/success', 200],
  ['/magicLink/unknown', 404],
  ['/connect/elsewhere', 404],
])('%s has the same security headers as every page', async (path, status) => {
  const response = await server.visit(path);
  expect(response.status).toBe(status);
  expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(response.headers['cache-control']).toBe('no-store');
  expect(response.headers['x-content-type-options']).toBe('nosniff');
  expect(policyOf(response)).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src data:; form-action [^;]+; base-uri 'none'; frame-ancestors 'none'$/,
  );
});

test('a page with a form sends a referrer to its own server only, and other pages send none', async () => {
  expect((await server.visit(MAIL)).headers['referrer-policy']).toBe('same-origin');
  expect((await server.visit('/connect/success')).headers['referrer-policy']).toBe('no-referrer');
  expect((await server.post(MAIL, { decision: 'approve' })).headers['referrer-policy']).toBe('no-referrer');
});

test('a form may redirect only to the address of its link', async () => {
  expect(policyOf(await server.visit(MAIL))).toContain("form-action 'self' http: https:;");
  expect(policyOf(await server.visit(GRACE))).toContain("form-action 'self';");
  expect(policyOf(await server.visit('/connect/success'))).toContain("form-action 'none';");
  server.begin(hostedState({}));
  expect(policyOf(await server.visit(MAIL))).toContain(`form-action 'self' ${BASE_URL};`);
});

test('pages have no script, no style attribute and no address of another server', async () => {
  for (const path of [MAIL, CRM, GRACE, '/connect/success', '/magicLink/unknown']) {
    const page = (await server.visit(path)).text;
    expect(page).not.toMatch(/<script|\sstyle=|\son\w+=|\ssrc=|href="(?!data:)|@import|url\(/);
  }
});

test.each([
  ['Sec-Fetch-Site', 'cross-site'],
  ['Sec-Fetch-Site', 'same-site'],
  ['Origin', 'https://evil.test'],
  ['Origin', 'null'],
  ['Origin', 'http://127.0.0.1:1'],
])('a post from another site shows a 403 page and decides nothing: %s %s', async (name, value) => {
  const before = environment.current;
  for (const path of [MAIL, CRM, GRACE]) {
    const response = await server.post(path, { decision: 'approve', api_key: 'k' }, { [name]: value });
    expect(response.status).toBe(403);
    expect(response.text).toContain('data-testid="cross-site"');
  }
  expect(environment.current).toBe(before);
});

test('a post from the page itself is accepted', async () => {
  const headers = { Host: '127.0.0.1:1', Origin: 'http://127.0.0.1:1', 'Sec-Fetch-Site': 'same-origin' };
  expect((await server.post(MAIL, { decision: 'approve' }, headers)).status).toBe(302);
});

test('a post through a proxy is accepted if it comes from the base URL', async () => {
  server.environments.baseUrl = 'https://mock.acme.test';
  const headers = { Origin: 'https://mock.acme.test' };
  expect((await server.post(MAIL, { decision: 'approve' }, headers)).status).toBe(302);
  server.environments.baseUrl = BASE_URL;
});

test('a form over 64 KiB shows a 413 page', async () => {
  const response = await server.post(CRM, { api_key: 'k'.repeat(64 * 1024) });
  expect(response.status).toBe(413);
  expect(response.text).toContain('data-testid="form-too-large"');
  expect((await server.post(CRM, { api_key: 'k'.repeat(63 * 1024) })).status).toBe(302);
});

test.each([
  ['application/json', '{"api_key":"k"}'],
  ['multipart/form-data; boundary=x', '--x--'],
])('a form sent as %s shows a 415 page that names the accepted type', async (type, body) => {
  const response = await server.visit(CRM, { method: 'POST', headers: { 'Content-Type': type }, body });
  expect(response.status).toBe(415);
  expect(response.text).toContain('application/x-www-form-urlencoded');
  expect(accountOf(environment, 'crm')?.stored_status).toBe('PENDING_AUTH');
});

test('behaviour T10: a field named __proto__ shows a 400 page and changes nothing', async () => {
  const before = environment.current;
  const body = new URLSearchParams('api_key=k&__proto__=polluted');
  const response = await server.visit(CRM, { method: 'POST', body });
  expect(response.status).toBe(400);
  expect(environment.current).toBe(before);
});

test.each(['PUT', 'DELETE', 'OPTIONS'])('%s shows a 405 page with the allowed methods', async (method) => {
  const link = await server.visit(MAIL, { method });
  expect([link.status, link.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
  const success = await server.visit('/connect/success', { method });
  expect([success.status, success.headers.allow]).toEqual([405, 'GET, HEAD']);
});

test.each([
  '/magicLink',
  '/magicLink/',
  `${MAIL}/`,
  `${MAIL}/more`,
  '/invitations/',
  '/connect',
  '/connect/success/',
])('%s shows a 404 page', async (path) => {
  const response = await server.visit(path);
  expect(response.status).toBe(404);
  expect(response.text).toContain('data-testid="page-unknown"');
});

test.each([
  '/',
  '/magiclink/x',
  '/magicLinks/x',
  '/api/v1/connections',
])('%s is not a hosted page and is passed on', async (path) => {
  expect((await server.visit(path)).status).toBe(418);
});

test('an error of the mock itself shows a plain 500 page, is logged, and changes nothing', async () => {
  const state = hostedState({ user_verify_url: 'not an address' });
  environment = server.begin(state);
  const before = environment.current;
  const response = await server.post(MAIL, { decision: 'approve' });
  const page = response.text;
  expect(response.status).toBe(500);
  expect(page).toContain('data-testid="internal-error"');
  expect(page).not.toMatch(/at \w+ \(|node:internal|Invalid URL/);
  expect(server.faults).toHaveLength(1);
  expect(environment.current).toBe(before);
});

const DECIDED = `${MAIL}?decision=approve`;

test.each([
  ['an iframe', { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' }],
  [
    'an object',
    { 'sec-fetch-dest': 'object', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' },
  ],
  ['a prefetch', { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', 'sec-purpose': 'prefetch' }],
  ['a prerender', { 'sec-fetch-dest': 'document', 'sec-purpose': 'prefetch;prerender' }],
  ['a prefetch of an older browser', { purpose: 'Prefetch' }],
  ['a prefetch of another older browser', { 'x-moz': 'prefetch' }],
  ['a preview', { 'x-purpose': 'preview' }],
  ['an image', { 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'same-origin' }],
  ['another site', { 'sec-fetch-dest': 'script', 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-site' }],
])('behaviour V5: %s does not decide a link with ?decision=', async (_what, headers) => {
  const response = await server.visit(DECIDED, { headers });
  expect([200, 403]).toContain(response.status);
  expect(accountOf(environment, 'mail')?.stored_status).toBe('PENDING_AUTH');
  const byLink = {
    'sec-fetch-dest': 'document',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-site': 'cross-site',
  };
  expect((await server.visit(DECIDED, { headers: byLink })).status).toBe(302);
});

test('behaviour V5: a page in a frame says why it cannot be shown there', async () => {
  const response = await server.visit(MAIL, { headers: { 'sec-fetch-dest': 'iframe' } });
  expect(response.status).toBe(403);
  expect(policyOf(response)).toContain('frame-ancestors *');
  expect(response.text).toContain('data-testid="framed"');
});

test('behaviour V3: a double click on Approve leads to the same redirect twice', async () => {
  const first = await server.post(MAIL, { decision: 'approve' });
  const second = await server.post(MAIL, { decision: 'approve' });
  expect([first.status, second.status]).toEqual([302, 302]);
  expect(second.headers.location).toBe(first.headers.location);
  expect(first.headers.location).toContain('auth_request_id=');
  expect((await server.visit(`${MAIL}?decision=approve`)).status).toBe(410);
});

test('behaviour V3: an approval that is repeated after its request has ended is 410', async () => {
  const environment = server.begin();
  const { status } = await server.post(MAIL, { decision: 'approve' });
  advanceClock(environment, 10 * MINUTE);
  expect([status, (await server.post(MAIL, { decision: 'approve' })).status]).toEqual([302, 410]);
});
