/** The plugin for Vitest, and its setup: the options of a run, and the way of a page's calls to the mock. */
import { afterEach, expect, test } from '@jest/globals';
import { startMock } from '#mock';
import plugin from '../../../src/library/runners/vitest-plugin.mts';
import setup from '../../../src/library/runners/vitest-setup.mts';
import { serveHttp } from '../../support/http-server.ts';

const before = { ...process.env };
afterEach(() => {
  process.env = { ...before };
});

/** The variables of the mock. */
const variables = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('CA_MOCK_')));

test('the options of the plugin become variables, but a variable that is set wins', () => {
  process.env.CA_MOCK_STRICT = '0';
  const options = { scenario: 'empty', strict: true, minCoverage: 0, host: undefined } as object;
  const used = plugin(options);
  expect(used.config()).toEqual({ test: { globalSetup: ['connected-accounts-mock/vitest/setup'] } });
  expect(variables()).toEqual({ CA_MOCK_SCENARIO: 'empty', CA_MOCK_STRICT: '0', CA_MOCK_MIN_COVERAGE: '0' });
  used.buildEnd();
  expect(() => plugin({ scenario: {} } as object)).toThrow('scenario must be a name or a path here.');
  expect(() => plugin({ minCoverag: 1 } as object)).toThrow('Did you mean "minCoverage"?');
});

test('the projects of a run must have the same options, until the last of them has ended', () => {
  const [one, same, other] = [plugin({ strict: true }), plugin({ strict: true }), plugin()];
  one.config();
  same.config();
  for (const ending of [one, same]) {
    expect(() => other.config()).toThrow(
      'the plugins of two have different options: { strict: true } and {}',
    );
    ending.buildEnd();
  }
  other.config();
  other.buildEnd();
});

/** A server of pages with the plugin, which says what it does not pass on. */
const pages = async () => {
  let passOn: ((...given: unknown[]) => void) | undefined;
  const use = (path: string, handle: (...given: never[]) => void): void => {
    expect(path).toBe('/_mock');
    passOn = handle as typeof passOn;
  };
  plugin().configureServer({ middlewares: { use } });
  return serveHttp((request, response) => {
    const next = (error?: { code: string }) => response.end(`next ${error?.code}`);
    request.url = request.url?.replace('/_mock', ''); // as Vite does
    try {
      if (passOn) passOn(request, response, next);
      else response.end('no way');
    } catch (error) {
      next(error as { code: string });
    }
  });
};

const TLS = ['cert', 'key'].map((name) => new URL(`../../support/tls/${name}.pem`, import.meta.url).pathname);

test('the server of a page passes control calls on while Vitest runs, and then alone', async () => {
  process.env.VITEST = '';
  await using plain = await pages();
  const ask = async (server: { url: string }, init: RequestInit = {}, query = '') => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${server.url}/_mock/environments${query}`, { ...init, headers });
    return { status: response.status, text: await response.text() };
  };
  expect((await ask(plain)).text).toBe('no way');
  process.env.VITEST = 'true';
  await using server = await pages();
  expect((await ask(server)).text).toBe('next undefined');
  await using mock = await startMock({ port: 0, log: 'silent' });
  process.env.CA_MOCK_URL = mock.url;
  expect(await ask(server, { method: 'POST', body: '{ "name": "mine" }' })).toMatchObject({ status: 201 });
  expect(await ask(server, {}, '?nme=1')).toMatchObject({
    status: 400,
    text: expect.stringContaining('nme'),
  });
  expect((await mock.environments()).map(({ name }) => name)).toContain('mine');
  process.env.CA_MOCK_URL = 'http://127.0.0.1:1';
  expect((await ask(server)).text).toBe('next ECONNREFUSED');
  await using secret = await startMock({ port: 0, log: 'silent', tlsCert: TLS[0], tlsKey: TLS[1] });
  process.env.CA_MOCK_URL = secret.url;
  expect((await ask(server)).text).toBe('next DEPTH_ZERO_SELF_SIGNED_CERT');
});

test('the setup gives pages the variables that tests in Node read', async () => {
  Object.assign(process.env, {
    CA_MOCK_LOG: 'silent',
    CA_MOCK_COVERAGE: 'off',
    CA_MOCK_CONTROL_TOKEN: 'sesame',
  });
  const given: unknown[] = [];
  const end = await setup({ provide: (...value) => void given.push(value) });
  const { CA_MOCK_URL } = process.env;
  expect(CA_MOCK_URL).toMatch(/^http:/);
  const expected = { CA_MOCK_URL, CA_MOCK_CONTROL_TOKEN: 'sesame', CA_MOCK_KEEP: 'none' };
  expect(given).toEqual([['connected-accounts-mock', expected]]);
  await end();
  expect([process.env.CA_MOCK_URL, process.env.CA_MOCK_CONTROL_TOKEN]).toEqual([undefined, 'sesame']); // for the next run
});
