import { expect, test } from '@jest/globals';
import { environmentKey } from '../../../src/engine/core/ids.ts';
import { CHAT, GRACE, hostedPages, MAIL, OTHERS } from './hosted.ts';

const { accountOf, env, visit, post, unchanged } = await hostedPages();

test('behaviour V2, I2: the consent page shows connector, account, scopes and where each decision leads', async () => {
  const { status, text } = await visit(MAIL);
  expect(status).toBe(200);
  for (const words of [
    ...[
      '<h1>Connect mail</h1>',
      'user@acme.test',
      'data-testid="provider">GOOGLE<',
      'Acme Corporation',
      'mail.read',
      'mail.send',
    ],
    ...['aria-hidden="true">M</div>', 'data-testid="environment">development<'],
    ...['>app.acme.test asks for', 'You return to app.acme.test, where', 'and you return to app.acme.test.'],
    '<button name="decision" value="approve" data-testid="approve">',
    '<button class="second" name="decision" value="deny" data-testid="deny">',
  ])
    expect(text).toContain(words);
  const chat = (await visit(CHAT)).text;
  for (const words of [
    ...['An application asks', 'The account is connected right away.'],
    'Nothing is shared and nothing changes.',
  ])
    expect(chat).toContain(words);
  // A provider that people made has its display name.
  expect((await visit('/magicLink/link-desk')).text).toContain('data-testid="provider">Form Desk<');
  const pair = { connector: 'mail', identifier: 'user@acme.test' };
  await env.patchState({ connected_accounts: [{ ...pair, organization_id: 'tenant-7', labels: true }] });
  expect((await visit(MAIL)).text).toContain('tenant-7'); // behaviour I2: an organization that is not known has its id
  expect(text).toContain('1 Mar 2026, 12:15 UTC'); // the end of the link, unless it never ends
  expect(chat).not.toContain('<time');
});

test('denying a link without user_verify_url leads to a page that says that access was denied', async () => {
  const { headers } = await post(CHAT, { decision: 'deny' });
  const { status, text } = await visit(new URL(headers.location ?? '').pathname);
  expect([status, text]).toEqual([200, expect.stringContaining('data-testid="connect-denied"')]);
});

test('a post to a consent page without a valid decision shows a 400 page with the buttons', async () => {
  const { status, text } = await unchanged(() => post(MAIL, { decision: 'maybe' }));
  expect([status, text]).toEqual([400, expect.stringContaining('role="alert"')]);
  expect(text).toContain('<title>Error: Connect mail ');
  expect(text).toContain('data-testid="approve"');
});

test('behaviour V2: a link that was used shows a 410 page, and an unknown one a 404 page that says what to do', async () => {
  await post(MAIL, { decision: 'approve' });
  const used = await unchanged(() => post(MAIL, { decision: 'deny' }));
  expect([used.status, used.headers.location]).toEqual([410, undefined]);
  expect(used.text).toMatch(/environment">development<.*data-testid="link-used".*class="emblem warn"/s);
  for (const token of ['unknown', '__proto__']) {
    const { status, text } = await visit(`/magicLink/${token}`);
    expect([status, text]).toEqual([
      404,
      expect.stringMatching(/data-testid="link-unknown".*data-testid="next"/s),
    ]);
  }
});

test('behaviour V3: the consent page has a ticked box for each scope', async () => {
  const { text } = await visit(MAIL);
  const boxes = [...text.matchAll(/type="checkbox" name="scopes" value="([^"]+)" checked/g)];
  expect(boxes.map(([, scope]) => scope)).toEqual(['mail.read', 'mail.send']);
  expect(text).toContain('<input type="hidden" name="scopes" value="">'); // a browser does not send an empty box
  await env.patchState({ connections: [{ key_id: 'chat', scopes: [] }] });
  expect((await visit(CHAT)).text).toContain('It asks for no particular permissions.');
});

test('behaviour V3: the control plane refuses details of the other decision, and takes a link as an address bar shows it', async () => {
  const link = MAIL.split('/').at(-1) ?? '';
  await expect(env.links.approve(link, { error: 'server_error' } as object)).rejects.toThrow(
    'error has no effect on approve. approve takes scopes.',
  );
  await expect(env.links.deny(link, { scopes: ['mail.read'] } as object)).rejects.toThrow(
    'scopes has no effect on deny. deny takes error and error_description.',
  );
  const { redirect_url } = await env.links.deny(`http://127.0.0.1/magicLink/${link}?utm=a/b#top`);
  expect(new URL(redirect_url).searchParams.get('error')).toBe('access_denied');
});

test.each([
  [
    'the key in the token of the link, whatever the request names',
    MAIL + environmentKey('env_100000000000000001'),
    200,
  ],
  ['the name in the request, if the token of the link has no key', MAIL, 404],
])('the environment of a link is decided by %s', async (_how, path, status) => {
  expect((await visit(path, { headers: { 'x-mock-environment': 'production' } })).status).toBe(status);
});

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
  for (const name of Object.keys(fields)) {
    const type = /^(username|site)$/.test(name) ? 'text' : 'password';
    expect(text).toContain(`name="${name}" data-testid="${name}" type="${type}"`);
  }
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

test('behaviour M8: the invitation page says who is invited, to which organization and by whom, and opening it changes nothing', async () => {
  const { status, text } = await unchanged(() => visit(GRACE));
  expect(status).toBe(200);
  const names = ['Join Acme Corporation', 'grace@acme.test', 'ada@acme.test'];
  const shown = ['13 Mar 2026, 12:00 UTC', 'data-testid="accept"', 'data-testid="environment">development<'];
  for (const words of [...names, ...shown]) expect(text).toContain(words);
  expect((await unchanged(() => visit(GRACE, { method: 'HEAD' }))).status).toBe(200);
});

test('behaviour M8, M7: accepting an invitation shows a welcome, after which its page is a 410', async () => {
  const accepted = await post(GRACE, {});
  expect([accepted.status, accepted.text]).toEqual([200, expect.stringContaining('invitation-accepted')]);
  expect(accepted.text).toMatch(
    /data-testid="environment">development<.*class="emblem good".*Welcome to Acme Corporation/s,
  );
  const twice = await unchanged(() => post(GRACE, {})); // a double click
  expect([twice.status, twice.text]).toEqual([200, expect.stringContaining('Welcome to Acme Corporation')]);
  const again = await visit(GRACE);
  expect([again.status, again.text]).toEqual([410, expect.stringContaining('invitation-used')]);
});

test('behaviour M8: the form of an invitation may lead to the initiate_login_url, which Chromium checks', async () => {
  await env.patchSettings({ initiate_login_url: 'https://app.acme.test/login?x=1' });
  const { headers } = await visit(GRACE);
  expect(headers['content-security-policy']).toContain("form-action 'self' https://app.acme.test");
});

test.each([
  ['token-linus', 410, 'invitation-expired'],
  ['token-revoked', 410, 'invitation-revoked'],
  ['token-nobody', 404, 'invitation-unknown'],
])('behaviour M7: opening or accepting %s shows a %i page', async (token, status, name) => {
  const path = `/invitations/${token}`;
  for (const open of [() => visit(path), () => post(path, {})]) {
    const answer = await unchanged(open);
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(`data-testid="${name}"`)]);
    expect(answer.text.includes('data-testid="environment"')).toBe(status === 410);
  }
});
