import { expect, test } from '@jest/globals';
import { environmentKey } from '../../../src/engine/core/ids.ts';
import { CHAT, hostedPages, MAIL } from './hosted.ts';

const { env, visit, post, unchanged } = await hostedPages();

test('behaviour V2: the consent page shows connector, account, scopes and where each decision leads', async () => {
  const { status, text } = await visit(MAIL);
  expect(status).toBe(200);
  for (const words of [
    ...['<h1>Connect mail</h1>', 'user@acme.test', 'GOOGLE', 'Acme Corporation', 'mail.read', 'mail.send'],
    ...['aria-hidden="true">M</div>', 'data-testid="environment">development<'],
    ...['>app.acme.test asks for', 'You return to app.acme.test, where', 'and you return to app.acme.test.'],
    '<button name="decision" value="approve" data-testid="approve">',
    '<button class="second" name="decision" value="deny" data-testid="deny">',
  ])
    expect(text).toContain(words);
  const chat = (await visit(CHAT)).text;
  for (const words of [
    'An application asks',
    'The account is connected right away.',
    'Nothing is shared and nothing changes.',
  ])
    expect(chat).toContain(words);
});

test('behaviour I2: the page shows an organization that the environment does not know by its id', async () => {
  const pair = { connector: 'mail', identifier: 'user@acme.test' };
  await env.patchState({ connected_accounts: [{ ...pair, organization_id: 'tenant-7', labels: true }] });
  expect((await visit(MAIL)).text).toContain('tenant-7');
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

test('behaviour V2: a link works once; a second decision shows a 410 page without a redirect', async () => {
  await post(MAIL, { decision: 'approve' });
  for (const again of [
    () => post(MAIL, { decision: 'deny' }),
    () => visit(MAIL),
    () => visit(`${MAIL}?decision=deny`),
  ]) {
    const { status, headers, text } = await unchanged(again);
    expect([status, headers.location]).toEqual([410, undefined]);
    expect(text).toContain('data-testid="link-used"');
    expect(text).toMatch(/data-testid="environment">development<.*class="emblem warn"/s);
  }
});

test('behaviour V2: from its very end, the page of a link is a 410', async () => {
  await env.advance('14m59s999ms');
  expect((await visit(MAIL)).status).toBe(200);
  await env.advance('1ms');
  for (const late of [await visit(MAIL), await post(MAIL, { decision: 'approve' })])
    expect([late.status, late.text]).toEqual([410, expect.stringContaining('data-testid="link-expired"')]);
});

test.each([
  'unknown',
  '__proto__',
])('behaviour V2: the unknown link %s shows a 404 page that says what to do', async (token) => {
  const { status, text } = await visit(`/magicLink/${token}`);
  expect(status).toBe(404);
  for (const name of ['link-unknown', 'next']) expect(text).toContain(`data-testid="${name}"`);
});

test('behaviour V3: the consent page has a ticked box for each scope, and grants those that are ticked', async () => {
  const { text } = await visit(MAIL);
  const boxes = [...text.matchAll(/type="checkbox" name="scopes" value="([^"]+)" checked/g)];
  expect(boxes.map(([, scope]) => scope)).toEqual(['mail.read', 'mail.send']);
  expect(text).toContain('<input type="hidden" name="scopes" value="">'); // a browser does not send an empty box
  const granted = async () => {
    const { verification_requests = [] } = await env.state();
    const request = verification_requests.find(({ account }) => account === 'mail/user@acme.test');
    return request?.authorization_details?.oauth_token?.scopes;
  };
  await env.patchState({ connections: [{ key_id: 'chat', scopes: [] }] });
  expect((await visit(CHAT)).text).toContain('It asks for no particular permissions.');
  await post(MAIL, { decision: 'approve', scopes: ['', 'mail.send'] });
  expect(await granted()).toEqual(['mail.send']);
  await env.reset();
  await post(MAIL, { decision: 'approve', scopes: '' });
  expect(await granted()).toEqual([]);
  await env.reset();
  await visit(`${MAIL}?decision=approve&scopes=mail.read,+mail.send`);
  expect(await granted()).toEqual(['mail.read', 'mail.send']);
});

test('behaviour V3: the control plane approves with fewer scopes and denies with an error, and refuses details of the other decision', async () => {
  const link = MAIL.split('/').at(-1) ?? '';
  await expect(env.links.approve(link, { error: 'server_error' } as object)).rejects.toThrow(
    'error has no effect on approve. approve takes scopes.',
  );
  await expect(env.links.approve(link, { scopes: ['mail.burn'] })).rejects.toThrow('does not ask for it');
  await expect(env.links.deny(link, { scopes: ['mail.read'] } as object)).rejects.toThrow(
    'scopes has no effect on deny. deny takes error and error_description.',
  );
  const opened = `http://127.0.0.1/magicLink/${link}?utm=a/b#top`; // as an address bar shows it
  const { redirect_url } = await env.links.deny(opened, { error: 'invalid_scope' });
  expect(new URL(redirect_url).searchParams.get('error')).toBe('invalid_scope');
});

test.each([
  '?decision=maybe',
  '?decision=error',
  '?decision=approve&decision=deny',
])('opening a link with %s shows a 400 page and decides nothing', async (query) => {
  const { status, text } = await unchanged(() => visit(MAIL + query));
  expect([status, text]).toEqual([400, expect.stringContaining('data-testid="decision-unknown"')]);
});

test('behaviour V2: opening a link decides nothing, and HEAD never decides', async () => {
  for (const path of [MAIL, `${MAIL}?decision=`])
    expect((await unchanged(() => visit(path))).status).toBe(200);
  await env.patchSettings({ hosted: 'approve' });
  for (const path of [MAIL, `${MAIL}?decision=approve`])
    expect((await unchanged(() => visit(path, { method: 'HEAD' }))).status).toBe(200);
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

test('the page of a link says when the link expires, unless it never does', async () => {
  expect((await visit(MAIL)).text).toContain('1 Mar 2026, 12:15 UTC');
  expect((await visit(CHAT)).text).not.toContain('<time');
});
