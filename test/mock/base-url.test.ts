/** `--base-url` with `{env}`: each environment has a host of its own. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createMock, type Mock } from '../../src/index.ts';

let mock: Mock;
beforeAll(() => {
  mock = createMock({ scenario: 'default', baseUrl: 'http://{env}.mock.test:8080/', log: 'silent' });
});
afterAll(() => mock.close());

const LINK = '/api/v1/connected_accounts/magic_link';
const headers = { authorization: 'Bearer dev-token', 'content-type': 'application/json' };

const read = async (path: string): Promise<string> => (await mock.fetch(path)).text();

const makeLink = async (host: string): Promise<{ status: number; link: string }> => {
  const response = await mock.fetch(LINK, {
    method: 'POST',
    headers: { ...headers, host },
    body: JSON.stringify({ connector: 'mail', identifier: 'you@acme.test' }),
  });
  const { link = '' } = JSON.parse(await response.text());
  return { status: response.status, link };
};

test('links and e-mails of an environment begin with its own host', async () => {
  await mock.createEnvironment({ name: 'Test-1' });
  const { link } = await makeLink('test-1.mock.test:8080');
  expect(link).toMatch(/^http:\/\/test-1\.mock\.test:8080\/magicLink\//);
  const own = await makeLink('mock.test:8080');
  expect(own.link).toMatch(/^http:\/\/development\.mock\.test:8080\/magicLink\//);
});

test('a host names the environment, as a header does (behaviour E2, E7)', async () => {
  await mock.createEnvironment({ name: 'test-2' });
  expect((await makeLink('test-2.mock.test:8080')).status).toBe(200);
  expect((await makeLink('production.mock.test:8080')).status).toBe(401);
  expect((await makeLink('production.mock.test.elsewhere.test:8080')).status).toBe(200);
});

test('the form of a consent page is accepted only from the host of its environment', async () => {
  await mock.createEnvironment({ name: 'test-3' });
  const { link } = await makeLink('test-3.mock.test:8080');
  const { pathname, host } = new URL(link);
  const decide = async (origin: string): Promise<number> => {
    const response = await mock.fetch(pathname, {
      method: 'POST',
      redirect: 'manual',
      headers: { host, origin, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'decision=approve',
    });
    return response.status;
  };
  expect(await decide('http://test-3.mock.test.elsewhere.test:8080')).toBe(403);
  expect(await decide(`http://${host}`)).toBe(302);
});

test('addresses outside environments have no environment in their host', async () => {
  const { issuer } = JSON.parse(await read('/.well-known/openid-configuration'));
  expect(issuer).toMatch(/^http:\/\/development\.mock\.test:8080$/);
  const { servers } = JSON.parse(await read('/openapi.json'));
  expect(servers[0].url).toBe('http://mock.test:8080');
});

test.each([
  'http://mock.{env}.test',
  'http://mock.test/{env}',
  '{env}.mock.test',
])('%s is refused as a base URL', (baseUrl) => {
  expect(() => createMock({ baseUrl })).toThrow(/baseUrl.*\{env\}\./s);
});
