import { beforeEach, expect, test } from '@jest/globals';
import { putRow } from '../../src/core/table.ts';
import type { Environment } from '../../src/environments/environment.ts';
import type { Answer } from '../support/server.ts';
import { hostedPages, hostedState, PRODUCTION, requestCount, sealed } from './hosted.ts';

const server = hostedPages();
let environment: Environment;
const MAIL = `/magicLink/${sealed('link-mail')}`;
const CRM = `/magicLink/${sealed('link-crm')}`;

beforeEach(() => {
  environment = server.begin();
});

const locationOf = (response: Answer): URL => new URL(response.headers.location ?? '');

test('behaviour V2: the consent page shows connector, account, scopes and where each decision leads', async () => {
  const response = await server.visit(MAIL);
  const page = response.text;
  expect(response.status).toBe(200);
  expect(page).toContain('<h1>Connect mail</h1>');
  for (const text of [
    'ada@acme.test',
    'GOOGLE',
    'Acme Corporation',
    'mail.read',
    'mail.send',
    'app.acme.test',
  ])
    expect(page).toContain(text);
  for (const name of ['approve', 'deny']) expect(page).toContain(`data-testid="${name}"`);
});

test('behaviour V3: approving sends the user to user_verify_url with auth_request_id and state, and keeps the rest of the URL', async () => {
  const response = await server.post(MAIL, { decision: 'approve' });
  const location = locationOf(response);
  expect(response.status).toBe(302);
  expect(location.href).toMatch(
    /^https:\/\/app\.acme\.test\/verify\?keep=%20me&auth_request_id=[\w-]{43,}&state=a\+b%26c#part$/,
  );
  expect(requestCount(environment, 'mail')).toBe(1);
});

test('denying without user_verify_url leads to a page that says so', async () => {
  server.begin(hostedState({}));
  const location = locationOf(await server.post(MAIL, { decision: 'deny' }));
  const response = await server.visit(location.pathname);
  expect(response.status).toBe(200);
  expect(response.text).toContain('data-testid="connect-denied"');
});

test('a post to a consent page without a decision is a 400 page with both buttons', async () => {
  const before = environment.current;
  const response = await server.post(MAIL, { decision: 'maybe' });
  const page = response.text;
  expect(response.status).toBe(400);
  expect(page).toContain('role="alert"');
  expect(page).toContain('data-testid="approve"');
  expect(environment.current).toBe(before);
});

test('behaviour V2: a link works once; a second decision shows a 410 page without a redirect', async () => {
  await server.post(MAIL, { decision: 'approve' });
  for (const response of [
    await server.post(MAIL, { decision: 'deny' }),
    await server.visit(MAIL),
    await server.visit(`${MAIL}?decision=deny`),
  ]) {
    expect(response.status).toBe(410);
    expect(response.headers.location).toBeUndefined();
    expect(response.text).toContain('data-testid="link-used"');
  }
  expect(requestCount(environment, 'mail')).toBe(1);
});

test.each([
  'nobody-knows-it',
  '__proto__',
])('behaviour V2: the unknown link %s shows a 404 page that says what to do', async (token) => {
  const response = await server.visit(`/magicLink/${token}`);
  expect(response.status).toBe(404);
  for (const name of ['link-unknown', 'next']) expect(response.text).toContain(`data-testid="${name}"`);
});

test('behaviour V5: ?decision= on the link decides at once, without a page', async () => {
  const approved = await server.visit(`${MAIL}?decision=approve`);
  expect(approved.status).toBe(302);
  expect(locationOf(approved).searchParams.has('auth_request_id')).toBe(true);
  const denied = await server.visit(`${CRM}?decision=deny`);
  expect(locationOf(denied).searchParams.get('error')).toBe('access_denied');
});

test.each([
  '?decision=maybe',
  '?decision=approve&decision=deny',
])('%s shows a 400 page and decides nothing', async (query) => {
  const before = environment.current;
  const response = await server.visit(MAIL + query);
  expect(response.status).toBe(400);
  expect(response.text).toContain('data-testid="decision-unknown"');
  expect(environment.current).toBe(before);
});

test('behaviour V5: in hosted mode approve or deny, opening the link answers the redirect at once', async () => {
  environment = server.begin(hostedState(), { hosted: 'approve' });
  expect((await server.visit(MAIL)).status).toBe(302);
  expect(requestCount(environment, 'mail')).toBe(1);
  environment = server.begin(hostedState(), { hosted: 'deny' });
  expect(locationOf(await server.visit(MAIL)).searchParams.get('error')).toBe('access_denied');
});

test('behaviour V5: ?decision= overrides the hosted mode for one visit', async () => {
  server.begin(hostedState(), { hosted: 'approve' });
  const { searchParams } = locationOf(await server.visit(`${MAIL}?decision=deny`));
  expect(searchParams.get('error')).toBe('access_denied');
});

test('behaviour V2: opening a link decides nothing, and HEAD never decides', async () => {
  const before = environment.current;
  await server.visit(MAIL);
  const decided = await server.visit(`${MAIL}?decision=approve`, { method: 'HEAD' });
  expect([decided.status, environment.current]).toEqual([200, before]);
  environment = server.begin(hostedState(), { hosted: 'approve' });
  const { current } = environment;
  expect((await server.visit(MAIL, { method: 'HEAD' })).status).toBe(200);
  expect(environment.current).toBe(current);
});

test('the token of a link selects the environment, whatever the request names', async () => {
  const response = await server.visit(`/magicLink/${sealed('link-mail', PRODUCTION)}`, {
    headers: { 'X-Mock-Environment': 'development' },
  });
  expect(response.text).toContain('data-testid="environment">production<');
});

test('a token that a scenario writes selects the named environment, or the first environment that has it', async () => {
  const named = await server.visit('/magicLink/link-mail', {
    headers: { 'X-Mock-Environment': 'production' },
  });
  expect(named.text).toContain('data-testid="environment">production<');
  const first = await server.visit('/magicLink/link-mail');
  expect(first.text).toContain('data-testid="environment">development<');
});

test('the page says until when the link works, unless it never expires', async () => {
  expect((await server.visit(MAIL)).text).toContain('1 Mar 2026, 12:15 UTC');
  const state = hostedState();
  const endless = { token: 'endless', account_id: 'ca_mail' };
  server.begin({ ...state, authorization_links: putRow(state.authorization_links, endless) });
  expect((await server.visit(`/magicLink/${sealed('endless')}`)).text).not.toContain('<time');
});
