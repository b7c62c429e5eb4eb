/** A refused control call says what to send instead. */
import { expect, test } from '@jest/globals';
import { testServer } from '../support/server.ts';

const server = testServer();

test.each([
  ['0001-01-01T00:00:00Z', 'The clock cannot be set to this time.'],
  ['9999-12-31T23:59:59Z', 'of the years 1970 to 8999'],
])('an environment cannot be made with a clock at %s, which timestamps cannot express', async (now, words) => {
  for (const clock of [now, { mode: 'frozen', now }]) {
    const { status, body } = await server.control('POST', '/environments', { clock });
    const said = `${body.error.message} ${body.error.hint}`;
    expect([status, said]).toEqual([400, expect.stringContaining(words)]);
  }
});

test.each([
  [{ name: 'a/b' }, 'name is "a/b", but must be a name of up to 63 letters, digits, "-" and "_"'],
  [{ seed: 4294967296 }, 'seed is 4294967296, but must be 4294967295 or less.'],
  [{ scenario: '../x' }, '"../x" is a path; only names of the fixtures folder can be used here'],
  [{ settings: { magic_link_ttl: '-1m' } }, 'but must be a duration such as 15m'],
  [{ settings: { rate_limit: 5 } }, 'settings.rate_limit is 5, but must be an object or null.'],
  [{ settings: { rate_limit: { requests: 1, per: '0s' } } }, 'but must be a duration above zero'],
  [{ clock: { mode: 'frozen', now: 'noon' } }, 'clock.now is "noon", but must be a time such as'],
])('%j is refused, and the message says what to send', async (given, words) => {
  const { status, body } = await server.control('POST', '/environments', given);
  expect([status, body.error.message]).toEqual([400, expect.stringContaining(words)]);
  expect(body.error.message).not.toContain('pattern');
  expect(body.error.message).not.toContain('is an object, but must be a text');
});
