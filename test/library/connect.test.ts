/** `connectMock` finds a mock by its address. Messages explain a wrong address or token. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectMock, type Mock, startMock } from '#mock';
import { connectMock as connectHere } from '../../src/library/client.ts';

let served: Mock;
beforeAll(async () => {
  served = await startMock({ scenario: 'empty', port: 0, log: 'silent', controlToken: 'secret' });
});
afterAll(() => served.close());

test.each([
  'nonsense',
  'localhost:4720',
  '',
  'ftp://127.0.0.1:4720',
  'http://',
])('the address %j is refused, and the message shows a correct address', async (address) => {
  await expect(connectMock(address)).rejects.toMatchObject({
    name: 'MockError',
    code: 'INVALID_ARGUMENT',
    message: `${JSON.stringify(address)} is not the address of a mock. Include the scheme, as in http://127.0.0.1:4720.`,
  });
});

test('if nothing listens at the address, the message says how to start a mock', async () => {
  await expect(connectMock('http://127.0.0.1:1')).rejects.toMatchObject({
    name: 'MockError',
    code: 'UNREACHABLE',
    message: expect.stringMatching(
      /^Nothing is responding at http:\/\/127\.0\.0\.1:1\. Start the mock first/,
    ),
  });
});

test('without a control token connectMock fails, and for a wrong token the message says so', async () => {
  await expect(connectMock(served.url)).rejects.toMatchObject({ name: 'MockError', code: 'UNAUTHENTICATED' });
  await expect(connectMock(served.url, { controlToken: 'other' })).rejects.toThrow(
    'The control token is wrong.',
  );
});

test.each([
  '',
  'open sesame',
  'sesame\n',
  'sésame€',
])('the control token %j cannot be sent, and the message does not repeat it', async (controlToken) => {
  const refusal = connectMock(served.url, { controlToken });
  await expect(refusal).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  await expect(refusal).rejects.not.toThrow('sesame');
});

test('connectMock refuses an address with a path, and accepts a URL object or a slash at the end', async () => {
  const options = { controlToken: 'secret' };
  await expect(connectMock(`${served.url}/api`, options)).rejects.toThrow('but the reply is not from a mock');
  for (const address of [`${served.url}//`, new URL(served.url)])
    expect((await connectMock(address, options)).url).toBe(served.url);
  const shouted = served.url.replace('http', 'HTTP');
  expect((await connectMock(shouted, options)).url).toBe(shouted);
});

test('address and token come from variables, an empty one counts as not set, and fetch takes a path with options', async () => {
  Object.assign(process.env, { CA_MOCK_URL: served.url, CA_MOCK_CONTROL_TOKEN: 'secret' });
  const remote = await connectHere(); // with the variables of this test file
  expect((await remote.fetch('/keys', { method: 'HEAD' })).status).toBe(200);
  expect(await (await remote.fetch('keys', { method: 'HEAD' })).text()).toBe('');
  const request = new Request(`${served.url}/oauth/token`, { method: 'POST' });
  expect((await remote.fetch(request)).status).toBe(400);
  process.env.CA_MOCK_URL = '';
  const said = await connectHere().then(String, String); // whatever listens at the default address
  expect(said).not.toContain('is not the address of a mock');
  delete process.env.CA_MOCK_URL;
  delete process.env.CA_MOCK_CONTROL_TOKEN;
});

test('behaviour E9: a call with the trace of a remote environment goes to that environment', async () => {
  const remote = await connectMock(served.url, { controlToken: 'secret' });
  const env = await remote.createEnvironment();
  for (const headers of Object.entries(env.traceHeaders))
    await remote.fetch('/api/v1/connections', { headers: [[...headers]] });
  expect(await env.requests({ status: 401 })).toHaveLength(2);
});

test('a connection is closed at the end of its block, and says so afterwards; the mock goes on', async () => {
  const connect = () => connectMock(served.url, { controlToken: 'secret' });
  const remote = await connect();
  {
    await using same = remote;
    await same.environments();
  }
  await expect(remote.environments()).rejects.toThrow(`The connection to ${served.url} was closed.`);
  await (await connect()).close();
});
