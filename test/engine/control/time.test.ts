import { expect, test } from '@jest/globals';
import { loadControlContract } from '../../../src/engine/control/control-document.ts';
import { settings } from '../../../src/service/settings.ts';
import { testServer } from '../../support/server.ts';

const server = testServer();

const NOON = '2026-03-01T12:00:00.000Z';

test('a running clock continues from the time to which it is set, and freezing it keeps its present time', async () => {
  const { control } = await server.isolated();
  await control('PUT', '/clock', { mode: 'frozen', now: NOON });
  const { mode, now } = (await control('PUT', '/clock', { mode: 'running' })).body;
  const passed = Date.parse(now) - Date.parse(NOON);
  expect([mode, passed >= 0, passed < 10_000]).toEqual(['running', true, true]);
  expect((await control('POST', '/clock/advance', { by: '1h' })).body.mode).toBe('running');
  await control('PUT', '/clock', { mode: 'running', now: NOON });
  const frozen = (await control('PUT', '/clock', { mode: 'frozen' })).body;
  expect((await control('GET', '/clock')).body).toEqual(frozen);
  expect(frozen.now.slice(0, 13)).toBe(NOON.slice(0, 13));
});

test('settings are shown as scenarios write them, and PATCH changes only the settings that are sent', async () => {
  const { control } = await server.isolated();
  const before = (await control('GET', '/settings')).body;
  const defaults = { magic_link_ttl: '15m', invite_ttl: '15d', rate_limit: null, hosted: 'interactive' };
  expect(before).toMatchObject(defaults);
  const address = { post_user_verify_redirect_url: 'https://app.test/done' };
  const ttl = { access_token_ttl: '1s', invite_ttl: null };
  const changes = { ...address, ...ttl, rate_limit: { requests: 5, per: '1m' }, magic_link_ttl: 'PT90S' };
  const { body } = await control('PATCH', '/settings', changes);
  expect(body).toEqual({ ...before, ...changes, magic_link_ttl: '1m30s' });
  expect((await control('GET', '/settings')).body).toEqual(body);
  const none = { post_user_verify_redirect_url: null }; // null stands for the default address
  expect((await control('PATCH', '/settings', none)).body).toEqual({ ...body, ...none });
});

test('the control plane and scenarios have the same settings', () => {
  const { Settings } = loadControlContract().document.components.schemas ?? {};
  const { description: _words, ...schema } = Object(Settings);
  expect(schema).toEqual(settings.schema);
});
