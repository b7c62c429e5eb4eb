/**
 * The mock checks only a limited part of a large body, and leaves turns to others between two large bodies, so that other
 * calls need not wait for them. These tests count function calls and turns of the event loop, not time.
 */
import { expect, test } from '@jest/globals';
import { testServer } from '../../support/server.ts';
import { stepCounter } from '../../support/steps.ts';
import { turnsOf } from '../../support/turns.ts';

const server = testServer({ validateResponses: 'off' });
const countSteps = stepCounter();

const MEBIBYTE = 2 ** 20;
/** Values in a body: a little less than the limit. */
const TAKEN = 19_900;
/** The function calls that checking these values may take. They take about a tenth of a second. */
const MOST = 750_000;

const MEMBER = '/api/v1/memberships/organizations/org_100000000000000001/users/usr_100000000000000001';
const ACCOUNTS = '/api/v1/connected_accounts';
const NAMED = { connector: 'mail', identifier: 'large@acme.test' };

const list = (count: number, item: (nth: number) => unknown) =>
  Array.from({ length: count }, (_, n) => item(n));
const names = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, nth) => [`name_${nth}`, 'v']));
const credentials = (oauth_token: object) => ({
  ...NAMED,
  connected_account: { authorization_details: { oauth_token } },
});

/** For each kind of mistake: the path of the call, and a function that makes a body with `count` such mistakes. */
const KINDS: { readonly [what: string]: readonly [path: string, body: (count: number) => object] } = {
  'roles that are empty objects': [MEMBER, (count) => ({ roles: list(count, () => ({})) })],
  'roles that are not objects': [MEMBER, (count) => ({ roles: list(count, () => 1) })],
  'roles that do not exist': [MEMBER, (count) => ({ roles: list(count, (nth) => ({ name: `r${nth}` })) })],
  'pairs of metadata': [MEMBER, (count) => ({ metadata: names(count) })],
  'scopes that are numbers': [ACCOUNTS, (count) => credentials({ scopes: list(count, (nth) => nth) })],
  'unknown members': [ACCOUNTS, (count) => ({ ...NAMED, ...names(count) })],
  'unknown members of a credential': [ACCOUNTS, (count) => credentials(names(count))],
};

/** The number of mistakes that fit into a body of almost a megabyte. */
const fill = (body: (count: number) => object): number => {
  const sizeOf = (count: number): number => JSON.stringify(body(count)).length;
  const count = Math.floor((MEBIBYTE * 1_000) / sizeOf(1_000));
  return Math.floor((count * MEBIBYTE * 0.95) / sizeOf(count));
};

test.each(
  Object.entries(KINDS),
)('if a body is a megabyte of %s, only a part of it is checked', async (_what, kind) => {
  const [path, body] = kind;
  const headers = { 'x-mock-strict': '1' };
  const send = (count: number) => server.call('POST', path, { body: body(count), headers });
  await send(1); // the first call also creates the validator, which must not be counted
  const many = await countSteps(() => send(TAKEN));
  expect(many).toBeLessThan(MOST);
  expect(await countSteps(() => send(fill(body)))).toBeLessThan(1.2 * many);
});

const STUBBED = '/stubbed';
const STATE = '/_mock/environments/current/state';
const SCENARIO = '/_mock/environments/current/scenario';

/** The method, path and media type of each call, and its body with a long text. */
const READ: readonly [method: string, path: string, type: string, body: (text: string) => string][] = [
  ['POST', ACCOUNTS, 'application/json', (text) => JSON.stringify({ ...NAMED, text })],
  ['POST', '/oauth/token', 'application/x-www-form-urlencoded', (text) => `client_id=${text}`],
  ['POST', STUBBED, 'text/plain', (text) => text],
  ['PATCH', STATE, 'application/json', (text) => JSON.stringify({ text })],
  ['PUT', SCENARIO, 'application/yaml', (text) => `text: ${text}`],
];

/** Small bodies run in the turn in which they arrive; `fetch` itself waits for a turn after each call. */
test.each(
  READ,
)('other calls have turns between large bodies of %s %s, and small ones run at once', async (method, path, type, body) => {
  await server.control('PATCH', '/environments/current/state', { stubs: [{ method, path: STUBBED }] });
  const headers = { authorization: 'Bearer dev-token', 'content-type': type };
  const send = (size: number) => server.mock.fetch(path, { method, headers, body: body('x'.repeat(size)) });
  const sendTen = (size: number) => turnsOf(() => Promise.all(list(10, () => send(size))));
  await send(1);
  expect(await sendTen(8_000)).toBeLessThan(20);
  expect(await sendTen(30_000)).toBeGreaterThan(60);
});
