/** `--base-url` with `{env}`: each environment has a host of its own. */
import { expect, test } from '@jest/globals';
import { createMock } from '#mock';
import { testServer } from '../support/server.ts';

const server = testServer({ baseUrl: 'http://{env}.mock.test:8080/' });

const local = testServer({ baseUrl: 'http://127.0.0.1:8080' });

const makeLink = async (host: string) => {
  const body = { connector: 'mail', identifier: 'you@acme.test' };
  return server.call('POST', '/api/v1/connected_accounts/magic_link', { headers: { host }, body });
};

test('behaviour E2, E7: the host of a request names the environment, and links of the environment begin with its host', async () => {
  await server.isolated({ name: 'Test-1' });
  const named = await makeLink('TEST-1.Mock.test:8080');
  expect(named.body.link).toMatch(/^http:\/\/test-1\.mock\.test:8080\/magicLink\//);
  expect((await makeLink('production.mock.test:8080')).status).toBe(401);
  for (const host of ['mock.test:8080', 'production.mock.test.elsewhere.test:8080'])
    expect((await makeLink(host)).body.link).toMatch(/^http:\/\/development\.mock\.test:8080\/magicLink\//);
});

test('the form of a consent page is accepted only from the host of its environment', async () => {
  await server.isolated({ name: 'test-3' });
  const { pathname, host } = new URL((await makeLink('test-3.mock.test:8080')).body.link);
  const decide = async (origin: string): Promise<number> => {
    const body = new URLSearchParams({ decision: 'approve' });
    return (await server.call('POST', pathname, { token: null, headers: { host, origin }, body })).status;
  };
  expect(await decide('http://test-3.mock.test.elsewhere.test:8080')).toBe(403);
  expect(await decide(`http://${host}`)).toBe(302);
});

test('behaviour E3: each client learns the issuer with the host that it called itself', async () => {
  for (const host of ['127.0.0.1:8080', 'localhost:8080']) {
    const { body } = await local.call('GET', '/.well-known/openid-configuration', { headers: { host } });
    expect(body.issuer).toBe(`http://${host}`);
  }
});

test('if the host names no environment, the issuer is the host of the first one, and the served contract has the bare host', async () => {
  const { body } = await server.call('GET', '/.well-known/openid-configuration');
  expect(body.issuer).toBe('http://development.mock.test:8080');
  const contract = await server.call('GET', '/openapi.json');
  expect(contract.body.servers[0].url).toBe('http://mock.test:8080');
});

test.each([
  'http://mock.{env}.test',
  'http://mock.test/{env}',
  '{env}.mock.test',
])('%s is refused as a base URL', (baseUrl) => {
  expect(() => createMock({ baseUrl })).toThrow(/baseUrl.*\{env\}\./s);
});
