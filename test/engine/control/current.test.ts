/** Which environment `current` stands for. */
import { expect, test } from '@jest/globals';
import { testServer } from '../../support/server.ts';

const server = testServer();

const current = (method: string, token: string | null, named?: string, path = '') => {
  const headers = named === undefined ? {} : { 'x-mock-environment': named };
  return server.call(method, `/_mock/environments/current${path}`, { token, headers });
};

test('`current` is the environment of the API token or of the header, and without both the first environment', async () => {
  expect((await current('GET', 'prod-token')).body.name).toBe('production');
  expect((await current('GET', null, 'production')).body.name).toBe('production');
  const headers = { authorization: 'bearer prod-token' };
  const { body } = await server.call('GET', '/_mock/environments/current', { token: null, headers });
  expect(body.name).toBe('production'); // the letter case of a scheme does not count
  expect((await current('GET', null)).body.name).toBe('development');
  expect((await current('GET', 'no-token-of-the-api')).body.name).toBe('development');
  await server.control('POST', '/environments', { name: 'copy' });
  expect((await current('GET', 'dev-token', 'copy')).body.name).toBe('copy'); // dev-token is of the original
});

test('`current` is 404, and not the first environment, if the header names an unknown environment', async () => {
  const first = await server.mock.environment('development');
  await first.faults.add({ operation: 'getKeys', delay_ms: 1 });
  const { status, body } = await current('POST', null, 'prodution', '/reset');
  expect(status).toBe(404);
  expect(body.error).toEqual({
    code: 'NOT_FOUND',
    message: 'The environment "prodution" does not exist, but the header X-Mock-Environment selects it.',
    hint: 'Did you mean "production"?',
  });
  expect(await first.faults.list()).toHaveLength(1);
  const { hint } = (await current('POST', null, 'zebra', '/reset')).body.error;
  expect(hint).toMatch(
    /^The environments are development, production.*; GET \/_mock\/environments lists them\.$/,
  );
});

test('`current` is the environment of an access token even after the token expires, and 404 after that environment is deleted', async () => {
  const { body: made } = await server.control('POST', '/environments', { name: 'short' });
  const token = await server.issueToken(made.client_id, made.client_secret);
  await server.control('POST', '/environments/short/clock/advance', { by: '2d' });
  expect((await current('GET', token)).body.name).toBe('short');
  await server.control('DELETE', '/environments/short');
  const refused = await server.call('GET', '/api/v1/connections', { token });
  expect([refused.status, refused.body.message]).toEqual([401, expect.stringContaining('no longer exists')]);
  const { status, body } = await current('GET', token);
  expect(status).toBe(404);
  expect(body.error.message).toBe(
    `The environment "${made.id}" does not exist, but the access token belongs to it.`,
  );
});

test('`current` is refused if token and header select different environments', async () => {
  const { status, body } = await current('GET', 'prod-token', 'development');
  expect(status).toBe(400);
  expect(body.error.message).toBe(
    'The call selects the environment production, but its header X-Mock-Environment selects "development".',
  );
});
