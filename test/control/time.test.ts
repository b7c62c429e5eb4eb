import { expect, test } from '@jest/globals';
import { loadControlContract } from '../../src/control/document.ts';
import { SETTINGS_SCHEMA } from '../../src/domain/settings.ts';
import { testServer } from '../support/server.ts';

const server = testServer();

const NOON = '2026-03-01T12:00:00.000Z';

test('a frozen clock moves only when a call moves it', async () => {
  const { control } = await server.isolated();
  expect((await control('PUT', '/clock', { mode: 'frozen', now: NOON })).body).toEqual({
    mode: 'frozen',
    now: NOON,
  });
  expect((await control('GET', '/clock')).body.now).toBe(NOON);
  const { body } = await control('POST', '/clock/advance', { by: 'PT15M' });
  expect(body).toEqual({ mode: 'frozen', now: '2026-03-01T12:15:00.000Z' });
});

test('a running clock continues from the time to which it is set, or at which it was frozen', async () => {
  const { control } = await server.isolated();
  await control('PUT', '/clock', { mode: 'frozen', now: NOON });
  const { body } = await control('PUT', '/clock', { mode: 'running' });
  expect(body.mode).toBe('running');
  expect(Date.parse(body.now) - Date.parse(NOON)).toBeGreaterThanOrEqual(0);
  expect(Date.parse(body.now) - Date.parse(NOON)).toBeLessThan(10_000);
});

test('freezing the clock without a time freezes it at its present time', async () => {
  const { control } = await server.isolated();
  await control('PUT', '/clock', { mode: 'running', now: NOON });
  const { body } = await control('PUT', '/clock', { mode: 'frozen' });
  expect((await control('GET', '/clock')).body).toEqual(body);
  expect(body.now.slice(0, 13)).toBe(NOON.slice(0, 13));
});

test.each([
  ['no duration', { by: 'soon' }, 'by is "soon", but must be a duration such as 15m'],
  ['too far', { by: '200y' }, 'must be a duration'],
  ['nothing', {}, 'by is missing.'],
])('advancing the clock by %s is 400, and the message gives the right form', async (_case, body, message) => {
  const { control } = await server.isolated();
  const answer = await control('POST', '/clock/advance', body);
  expect(answer.status).toBe(400);
  expect(answer.body.error.message).toContain(message);
});

test.each([
  ['0001-01-01T00:00:00Z', 'The clock cannot be set to this time.'],
  ['9999-12-31T23:59:59Z', 'in the years 1970 to 8999'],
  ['2026-02-30T00:00:00Z', 'must be a time such as'],
])('no clock can show %s, which timestamps cannot express', async (now, words) => {
  const { control } = await server.isolated({ clock: NOON });
  const refused = [400, expect.stringContaining(words)];
  const answers = [
    await control('PUT', '/clock', { mode: 'frozen', now }),
    await server.control('POST', '/environments', { clock: now }),
    await server.control('POST', '/environments', { clock: { mode: 'frozen', now } }),
  ];
  for (const { status, body } of answers)
    expect([status, `${body.error.message} ${body.error.hint}`]).toEqual(refused);
  expect((await control('GET', '/clock')).body.now).toBe(NOON);
});

test('null resets post_user_verify_redirect_url to its default', async () => {
  const { control } = await server.isolated();
  const redirect = async (url: string | null) =>
    (await control('PATCH', '/settings', { post_user_verify_redirect_url: url })).body
      .post_user_verify_redirect_url;
  expect(await redirect('https://app.test/done')).toBe('https://app.test/done');
  expect(await redirect(null)).toBe(null);
});

test.each([
  '999ms',
  '0.5s',
  '0s',
])('an access token that is valid for %s is refused, since the time counts in seconds', async (ttl) => {
  const { control } = await server.isolated();
  const { status, body } = await control('PATCH', '/settings', { access_token_ttl: ttl });
  expect([status, body.error.message]).toEqual([
    400,
    `access_token_ttl is "${ttl}", but must be a duration of a second or more, such as 15m, 2h30m, 3d or PT15M.`,
  ]);
  expect((await control('PATCH', '/settings', { access_token_ttl: '1s', magic_link_ttl: ttl })).status).toBe(
    200,
  );
});

test('settings are shown as they were written, and PATCH changes only the settings that are sent', async () => {
  const { control } = await server.isolated();
  const before = (await control('GET', '/settings')).body;
  expect(before).toMatchObject({
    magic_link_ttl: '15m',
    invite_ttl: '15d',
    rate_limit: null,
    hosted: 'interactive',
  });
  const changes = { invite_ttl: null, rate_limit: { requests: 5, per: '1m' }, magic_link_ttl: 'PT90S' };
  const { body } = await control('PATCH', '/settings', changes);
  expect(body).toEqual({ ...before, ...changes, magic_link_ttl: '1m30s' });
  expect((await control('GET', '/settings')).body).toEqual(body);
});

test('an unknown setting, or a wrong value, is 400 and changes nothing', async () => {
  const { control } = await server.isolated();
  const unknown = await control('PATCH', '/settings', { strict: true, hostde: 'approve' });
  expect(unknown.status).toBe(400);
  expect(unknown.body.error.hint).toBe('Did you mean "hosted"?');
  const wrong = await control('PATCH', '/settings', { rate_limit: { requests: 0, per: 'x' } });
  expect(wrong.body.error.message).toContain('rate_limit.requests is 0');
  expect(wrong.body.error.message).toContain('rate_limit.per is "x"');
  expect((await control('GET', '/settings')).body).toMatchObject({ strict: false, rate_limit: null });
});

test('the control plane and scenarios have the same settings', () => {
  const { Settings } = loadControlContract().document.components.schemas ?? {};
  const written = JSON.stringify(Settings, (key, value) => (key === 'x-expected' ? undefined : value));
  const { description: _words, ...schema } = JSON.parse(written);
  expect(schema).toEqual(SETTINGS_SCHEMA);
});
