import { expect, test } from '@jest/globals';
import express from 'express';
import { Refusal } from '../../../src/engine/core/errors.ts';
import type { Environments } from '../../../src/engine/environments/all-environments.ts';
import { mountHostedPages } from '../../../src/engine/pages/pages.ts';
import { service } from '../../../src/service/index.ts';
import { type Answer, send } from '../../support/server.ts';
import { CHAT, CRM, GRACE, hostedPages, MAIL } from './hosted.ts';

const { env, visit, post, unchanged } = await hostedPages();
const behindProxy = await hostedPages({ baseUrl: 'https://mock.acme.test' });

const APPROVE = { decision: 'approve' };
const DECIDED = `${MAIL}?decision=approve`;

const policyOf = ({ headers }: Answer): string => headers['content-security-policy'] ?? '';

test.each([
  [MAIL, 200],
  [CRM, 200],
  [GRACE, 200],
  ['/connect/success', 200],
  ['/magicLink/unknown', 404],
  ['/connect/elsewhere', 404],
])('%s has the security headers of every page, no script and no address of another server', async (path, status) => {
  const answer = await visit(path);
  expect(answer.status).toBe(status);
  expect(answer.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  expect(policyOf(answer)).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src data:; form-action [^;]+; base-uri 'none'; frame-ancestors 'none'$/,
  );
  expect(answer.text).not.toMatch(/<script|\sstyle=|\son\w+=|\ssrc=|href="(?!data:)|@import|url\(/);
});

test('a page with a form sends a referrer to its own server only, and other pages send none', async () => {
  expect((await visit(MAIL)).headers['referrer-policy']).toBe('same-origin');
  for (const answer of [await visit('/connect/success'), await post(MAIL, APPROVE)])
    expect(answer.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
});

test.each([
  [MAIL, "form-action 'self' http: https:;"],
  [GRACE, "form-action 'self';"],
  ['/connect/success', "form-action 'none';"],
  [CHAT, "form-action 'self' https://mock.acme.test;"],
])('the policy of %s limits where its form may be sent and redirected: %s', async (path, policy) => {
  expect(policyOf(await behindProxy.visit(path))).toContain(policy);
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
  expect([status, text]).toEqual([413, expect.stringContaining('data-testid="form-too-large"')]);
  expect((await post(CRM, { api_key: 'k'.repeat(63 * 1024) })).status).toBe(302);
});

test.each([
  ['application/json', '{"api_key":"k"}'],
  ['multipart/form-data; boundary=x', '--x--'],
])('a form sent as %s shows a 415 page that names the accepted type', async (type, body) => {
  const headers = { 'Content-Type': type };
  const { status, text } = await unchanged(() => visit(CRM, { method: 'POST', headers, body }));
  expect([status, text]).toEqual([415, expect.stringContaining('application/x-www-form-urlencoded')]);
});

test('behaviour T10: a field named __proto__ shows a 400 page and changes nothing', async () => {
  const body = new URLSearchParams('api_key=k&__proto__=polluted');
  expect((await unchanged(() => visit(CRM, { method: 'POST', body }))).status).toBe(400);
});

test.each(['PUT', 'DELETE', 'OPTIONS'])('%s shows a 405 page with the allowed methods', async (method) => {
  const link = await visit(MAIL, { method });
  expect([link.status, link.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
  const success = await visit('/connect/success', { method });
  expect([success.status, success.headers.allow]).toEqual([405, 'GET, HEAD']);
});

test.each([
  ...['/magicLink', '/magicLink/', `${MAIL}/`, `${MAIL}/more`],
  ...['/invitations/', '/connect', '/connect/success/', '/magicLink/%FF'],
])('%s shows a 404 page', async (path) => {
  const { status, text } = await visit(path);
  expect([status, text]).toEqual([404, expect.stringContaining('data-testid="page-unknown"')]);
});

test.each(['/magiclink', '/magiclink/x', '/magicLinks/x'])('%s is not a hosted page', async (path) => {
  const { status, headers } = await visit(path);
  expect([status, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
});

test('an error of the mock itself shows a 500 page without a stack trace, and is reported', async () => {
  const faults: unknown[] = [];
  const app = express();
  const environments = { service } as Environments; // every other call on it fails
  mountHostedPages(app, { environments, onInternalError: (error) => faults.push(error) });
  const { status, text } = await send(app, 'GET', MAIL);
  expect([status, text]).toEqual([500, expect.stringContaining('data-testid="internal-error"')]);
  expect(text).not.toMatch(/at \w+ \(|node:internal|findByKey/);
  expect(faults).toEqual([expect.any(TypeError)]);
});

test('behaviour E8: a refusal is shown on a page, and not reported as an error of the mock', async () => {
  const faults: unknown[] = [];
  const app = express();
  const findByKey = () => {
    throw new Refusal('UNAVAILABLE', 'The environment was reset.', 'Open the link again.');
  };
  const environments = { service, findByKey } as unknown as Environments;
  mountHostedPages(app, { environments, onInternalError: (error) => faults.push(error) });
  const { status, text } = await send(app, 'GET', MAIL);
  expect([status, text]).toEqual([503, expect.stringContaining('data-testid="refused"')]);
  expect(faults).toEqual([]);
});

const browser = (dest: string, mode: string, site: string) => ({
  'sec-fetch-dest': dest,
  'sec-fetch-mode': mode,
  'sec-fetch-site': site,
});

test.each([
  ['an iframe', 403, browser('iframe', 'navigate', 'cross-site')],
  ['an object', 403, browser('object', 'navigate', 'same-origin')],
  ...['frame', 'embed', 'fencedframe'].map((dest) => [dest, 403, { 'sec-fetch-dest': dest }] as const),
  ['a prefetch', 200, { ...browser('document', 'navigate', 'none'), 'sec-purpose': 'prefetch' }],
  ['a prerender', 200, { 'sec-fetch-dest': 'document', 'sec-purpose': 'prefetch;prerender' }],
  ['a prefetch of an older browser', 200, { purpose: 'Prefetch' }],
  ['a prefetch of another older browser', 200, { 'x-moz': 'prefetch' }],
  ['a browser that says no more', 200, { 'sec-fetch-site': 'same-origin' }],
  ['a preview', 200, { 'x-purpose': 'preview' }],
  ['an image', 200, browser('image', 'no-cors', 'same-origin')],
  ['a script of another site', 403, browser('script', 'cors', 'same-site')],
] as const)('behaviour V5: %s does not decide a link with ?decision=, and gets %i', async (_what, status, headers) => {
  expect((await unchanged(() => visit(DECIDED, { headers }))).status).toBe(status);
  const byLink = browser('document', 'navigate', 'cross-site');
  expect((await visit(DECIDED, { headers: byLink })).status).toBe(302);
});

test('behaviour V5: a page in a frame says why it cannot be shown there', async () => {
  const answer = await visit(MAIL, { headers: { 'sec-fetch-dest': 'iframe' } });
  expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('data-testid="framed"')]);
  expect(policyOf(answer)).toContain('frame-ancestors *');
});

test('behaviour V3: a second click on Approve leads to the same redirect, until the request has ended', async () => {
  const first = await post(MAIL, APPROVE);
  const second = await post(MAIL, APPROVE);
  expect([first.status, second.status]).toEqual([302, 302]);
  expect(first.headers.location).toContain('auth_request_id=');
  expect(second.headers.location).toBe(first.headers.location);
  expect((await visit(DECIDED)).status).toBe(410);
  await env.advance('10m');
  expect((await post(MAIL, APPROVE)).status).toBe(410);
});
