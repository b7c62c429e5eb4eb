import { beforeEach, expect, test } from '@jest/globals';
import type { Environment } from '../../src/environments/environment.ts';
import { accountOf, hostedPages, sealed } from './hosted.ts';

const server = hostedPages();
let environment: Environment;
const linkOf = (connector: string): string => `/magicLink/${sealed(`link-${connector}`)}`;

beforeEach(() => {
  environment = server.begin();
});

const detailsOf = (connector: string): unknown =>
  accountOf(environment, connector)?.authorization_details?.static_auth?.details;

test.each([
  ['crm', 'API_KEY', { api_key: 'k-1' }],
  ['helpdesk', 'BASIC', { username: 'ada', password: 'p-1' }],
  ['events', 'BEARER', { token: 't-1' }],
  ['desk', 'BASIC with the fields of a custom provider', { site: 'https://desk.test', pass: 'p-2' }],
])('behaviour V2: the form of %s (%s) shows its fields, and submitting it makes the account ACTIVE', async (connector, _type, fields) => {
  const page = (await server.visit(linkOf(connector))).text;
  for (const name of Object.keys(fields)) expect(page).toContain(`name="${name}" data-testid="${name}"`);
  expect(page).toContain('data-testid="submit"');
  const response = await server.post(linkOf(connector), fields);
  expect(response.status).toBe(302);
  expect(response.headers.location).toBe('https://app.acme.test/verify?keep=%20me&state=a+b%26c#part');
  expect(accountOf(environment, connector)?.stored_status).toBe('ACTIVE');
  expect(detailsOf(connector)).toEqual(fields);
});

test('if a field is sent twice, the last value counts', async () => {
  const body = new URLSearchParams('api_key=first&api_key=last');
  expect((await server.visit(linkOf('crm'), { method: 'POST', body })).status).toBe(302);
  expect(detailsOf('crm')).toEqual({ api_key: 'last' });
});

test('the form names a missing field, keeps the entered values, and never shows a secret again', async () => {
  const before = environment.current;
  const { status, text: page } = await server.post(linkOf('desk'), { site: 'desk "one"', pass: '' });
  expect(status).toBe(400);
  expect(page).toContain('Pass phrase is missing.');
  expect(page).toContain('value="desk &quot;one&quot;"');
  expect(page).toMatch(
    /data-testid="pass"[^>]* aria-invalid="true" aria-describedby="field-2-error" autofocus/,
  );
  expect(environment.current).toBe(before);
  const other = (await server.post(linkOf('desk'), { site: '', pass: 'hush-hush' })).text;
  expect(other).toContain('Site address is missing.');
  expect(other).not.toContain('hush-hush');
});

test('behaviour V5: fields may have the same names as parts of the page', async () => {
  const connector = 'crowded';
  const page = (await server.visit(linkOf(connector))).text;
  for (const name of ['deny', 'identifier', 'decision']) {
    expect(page.split(`data-testid="${name}"`).length).toBe(name === 'decision' ? 1 : 2);
    expect(page).toContain(`name="field-${name}" data-testid="field-${name}"`);
  }
  const incomplete = (await server.post(linkOf(connector), { 'field-deny': 'd' })).text;
  expect(incomplete).toContain('data-testid="field-decision-error"');
  expect(incomplete).toContain('name="field-deny" data-testid="field-deny" type="text"');
  expect(incomplete).toContain('value="d"');
  const fields = { 'field-deny': 'd', 'field-identifier': 'i', 'field-decision': 'deny' };
  expect((await server.post(linkOf(connector), fields)).status).toBe(302);
  expect(detailsOf(connector)).toEqual({ deny: 'd', identifier: 'i', decision: 'deny' });
});

test('fields that the form does not have are ignored', async () => {
  await server.post(linkOf('crm'), { api_key: 'k-1', constructor: 'x', extra: 'y' });
  expect(detailsOf('crm')).toEqual({ api_key: 'k-1' });
});

test('Cancel sends the user back with access_denied and stores nothing', async () => {
  const response = await server.post(linkOf('crm'), { api_key: '', decision: 'deny' });
  expect(response.headers.location).toContain('error=access_denied');
  expect(detailsOf('crm')).toBeUndefined();
});

test('behaviour V5: ?decision=approve on a form stores fixed test credentials', async () => {
  const response = await server.visit(`${linkOf('helpdesk')}?decision=approve`);
  expect(response.status).toBe(302);
  expect(detailsOf('helpdesk')).toEqual({ username: 'test-username', password: 'test-password' });
});
