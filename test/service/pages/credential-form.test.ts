import { expect, test } from '@jest/globals';
import { CRM, hostedPages, MAIL, OTHERS } from './hosted.ts';

const { visit, post, unchanged, accountOf } = await hostedPages();

const detailsOf = async (connector: string) =>
  (await accountOf(connector)).authorization_details?.static_auth.details;

test.each([
  ['crm', 'API_KEY', { api_key: 'k-1' }],
  ['helpdesk', 'BASIC', { username: 'ada', password: 'p-1' }],
  ['events', 'BEARER', { token: 't-1' }],
  ['desk', 'BASIC with the fields of a custom provider', { site: 'https://desk.test', pass: 'p-2' }],
])('behaviour V2: the form of %s (%s) shows its fields, and submitting it makes the account ACTIVE', async (connector, _type, fields) => {
  const link = `/magicLink/link-${connector}`;
  const { text } = await visit(link);
  for (const name of Object.keys(fields)) expect(text).toContain(`name="${name}" data-testid="${name}"`);
  for (const words of [
    '<button data-testid="submit">',
    'name="decision" value="deny" formnovalidate data-testid="deny"',
    'right away, and you return to app.acme.test.',
  ])
    expect(text).toContain(words);
  const { status, headers } = await post(link, fields);
  const location = 'https://app.acme.test/verify?keep=%20me&state=a+b%26c#part';
  expect([status, headers.location]).toEqual([302, location]);
  expect((await accountOf(connector)).status).toBe('ACTIVE');
  expect(await detailsOf(connector)).toEqual(fields);
});

test.each([
  ['crm', 'api_key', 'password'],
  ['helpdesk', 'username', 'text'],
  ['helpdesk', 'password', 'password'],
  ['events', 'token', 'password'],
  ['desk', 'pass', 'password'],
])('the form of %s has the field %s with the type %s', async (connector, name, type) => {
  const { text } = await visit(`/magicLink/link-${connector}`);
  expect(text).toContain(`data-testid="${name}" type="${type}"`);
});

test('the page names a custom provider as people do, and a provider that is not custom by its name', async () => {
  expect((await visit('/magicLink/link-desk')).text).toContain('data-testid="provider">Form Desk<');
  expect((await visit(MAIL)).text).toContain('data-testid="provider">GOOGLE<');
});

test('if a field is sent twice, the last value counts, and unknown fields are ignored', async () => {
  const body = new URLSearchParams('api_key=first&api_key=last&constructor=x&extra=y');
  expect((await visit(CRM, { method: 'POST', body })).status).toBe(302);
  expect(await detailsOf('crm')).toEqual({ api_key: 'last' });
});

test('the form names a missing field, keeps the entered values, and never shows a secret again', async () => {
  const desk = '/magicLink/link-desk';
  const { status, text } = await unchanged(() => post(desk, { site: 'desk "one"', pass: '' }));
  expect(status).toBe(400);
  expect(text).toContain('<title>Error: Connect desk ');
  expect(text).toContain('Pass phrase is missing.');
  expect(text).toContain('<label for="field-2">Pass phrase</label>\n<input id="field-2" ');
  expect(text).toContain('value="desk &quot;one&quot;"');
  expect(text).toMatch(
    /data-testid="pass"[^>]* aria-invalid="true" aria-describedby="field-2-error" autofocus/,
  );
  expect(text).toContain('Note (optional)');
  expect(text).toMatch(/name="pass"[^>]* required aria-invalid/);
  expect((await post(desk, {})).text.split(' autofocus').length).toBe(2); // only the first of two
  const other = (await post(desk, { site: '', pass: 'hush-hush' })).text;
  expect(other).toContain('Site address is missing.');
  expect(other).not.toContain('hush-hush');
});

test('behaviour V5: fields may have the same names as parts of the page', async () => {
  const link = '/magicLink/link-crowded';
  const { text } = await visit(link);
  for (const name of ['deny', 'identifier', 'decision', 'organization']) {
    expect(text.split(`data-testid="${name}"`).length).toBe(name === 'decision' ? 1 : 2);
    expect(text).toContain(`name="field-${name}" data-testid="field-${name}"`);
  }
  for (const name of OTHERS) expect(text).toContain(`name="field-${name}" data-testid="field-${name}"`);
  const incomplete = (await post(link, { 'field-deny': 'd' })).text;
  expect(incomplete).toContain('data-testid="field-decision-error"');
  expect(incomplete).toMatch(/name="field-deny" data-testid="field-deny" type="text"[^>]*value="d"/);
  const fields = { 'field-deny': 'd', 'field-identifier': 'i', 'field-decision': 'deny', 'field-site': 's' };
  expect((await post(link, fields)).status).toBe(302);
  expect(await detailsOf('crowded')).toEqual({
    deny: 'd',
    identifier: 'i',
    decision: 'deny',
    'field-site': 's',
  });
});

test('Cancel sends the user back with access_denied and stores nothing', async () => {
  const { headers } = await post(CRM, { api_key: '', decision: 'deny' });
  expect(headers.location).toContain('error=access_denied');
  expect(await detailsOf('crm')).toBeUndefined();
});

test('behaviour V5: ?decision=approve on a form stores fixed test credentials', async () => {
  expect((await visit('/magicLink/link-helpdesk?decision=approve')).status).toBe(302);
  expect(await detailsOf('helpdesk')).toEqual({ username: 'test-username', password: 'test-password' });
  await visit('/magicLink/link-desk?decision=approve');
  expect(await detailsOf('desk')).toEqual({ site: 'test-site', pass: 'test-pass', note: 'test-note' });
});
