/** A setup warms its process up before it says ready. The mock that is served shows no trace of that. */
import { afterAll, expect, test } from '@jest/globals';
import { connectMock } from '../../src/library/client.ts';
import { setupMock } from '../../src/library/runners/setup.ts';
import { warmUp } from '../../src/library/warm.ts';

const end = await setupMock({ log: 'silent', coverage: 'off' });
afterAll(() => end());

test('a setup leaves no environment, call, coverage, name, event or id behind', async () => {
  const mock = await connectMock(process.env.CA_MOCK_URL);
  expect((await mock.environments()).map(({ name }) => name)).toEqual(['development', 'production']);
  const environment = await mock.environment('development');
  expect([await environment.requests(), await environment.events()]).toEqual([[], []]);
  expect([(await mock.coverage()).percent, await mock.pact()]).toEqual([
    0,
    expect.objectContaining({ interactions: [] }),
  ]);
  const reply = await fetch(`${mock.url}/keys`);
  expect(reply.headers.get('x-request-id')).toBe('req_1');
});

test('a process warms up once', () => {
  expect(warmUp()).toBe(warmUp());
});
