/** Texts: names, errors, credentials, addresses, and files that are read. */
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { isEmail } from '../../../src/engine/core/addresses.ts';
import { contains, differences, withoutMatchers } from '../../../src/engine/core/contains.ts';
import { type FieldViolation, invalidArgument } from '../../../src/engine/core/errors.ts';
import { readRegularFile } from '../../../src/engine/core/files.ts';
import { isSecretName, MASK, maskSecret, withoutTokens } from '../../../src/engine/core/secrets.ts';
import { cut, didYouMean, listNames, nearest } from '../../../src/engine/core/text.ts';
import { whyUnreachable } from '../../../src/engine/core/unreachable.ts';
import { makeFifo, temporaryFolder } from '../../support/folder.ts';
import { testServer } from '../../support/server.ts';

test('behaviour R1: a text is cut between characters, never inside a surrogate pair', () => {
  expect(cut(`${'a'.repeat(99)}😀b`)).toBe(`${'a'.repeat(99)}...`);
  expect(cut(`${'a'.repeat(98)}😀b`)).toBe(`${'a'.repeat(98)}😀...`);
  expect(cut('a'.repeat(100))).toBe('a'.repeat(100));
});

test('a message lists twenty names, and says how many more there are', () => {
  const names = Array.from({ length: 23 }, (_, nth) => `n${nth}`);
  expect(listNames(names.slice(0, 20))).toMatch(/^n0, .*, n19$/);
  expect(listNames(names)).toMatch(/^n0, .*, n19 and 3 more$/);
});

test.each<[string, string[], string | undefined]>([
  ['conector', ['status', 'connector', 'identifier'], 'connector'],
  ['Connector', ['status', 'connector'], 'connector'],
  ['delet', ['PENDING', 'DELETE'], 'DELETE'], // capitals in a known name count for nothing
  ['zebra', ['status', 'connector'], undefined],
  ['ab', ['cd', 'xy'], undefined],
  ['statuz', ['state', 'status'], 'status'], // the more similar name
  ['mart', ['cart', 'dart'], 'cart'], // the first of two that are equally similar
])('for %s, the most similar of %j is %s', (word, known, meant) => {
  expect(nearest(word, known)).toBe(meant);
  expect(didYouMean(word, known)).toBe(meant === undefined ? '' : ` Did you mean "${meant}"?`);
});

// The sentences and the rule of a refusal.

const violation = (field: string, more: Partial<FieldViolation> = {}): FieldViolation => ({
  field,
  description: `${field} is wrong.`,
  constraint: 'type',
  ...more,
});

test('the advice for all fields is given once, and other advice names its fields', () => {
  const same = { advice: 'Leave it out.' };
  const { message: shared } = invalidArgument([violation('a', same), violation('b', same)]);
  expect(shared).toBe('a is wrong. b is wrong. Leave it out.');
  const { hint } = invalidArgument([violation('a', same), violation('b', same), violation('c')]);
  expect(hint).toBe('a, b: Leave it out.');
});

test('a refusal names the rule of the first violation that has one', () => {
  expect(invalidArgument([violation('a'), violation('b', { rule: 'I4' })]).rule).toBe('I4');
  expect(invalidArgument([violation('a')]).rule).toBe('R1');
});

test('a refusal of more than 100 violations says that it lists only the first', () => {
  const all = Array.from({ length: 101 }, (_, nth) => violation(`f${nth}`));
  const { extras, problem } = invalidArgument(all);
  expect(extras.violations).toHaveLength(100);
  expect(problem).toMatch(/f99 is wrong\. Only the first 100 violations are listed\.$/);
  expect(invalidArgument(all.slice(1)).problem).toMatch(/f100 is wrong\.$/);
});

// Credentials in messages (behaviour R2).

const NAMES =
  'cookie Set-Cookie bearer dsn Proxy-Authorization client_secret idToken password passwd passphrase passcode pwd ' +
  'credential api_key access_key secret_key privateKey ssh_key private_key_pem connection_string client_assertion jwt ' +
  'DPoP code_verifier tokens token_value secret_old secret_new api_key_v2 secret2 secret[] a[token]';
const OTHERS = 'page_token nextPageToken prev_page_token token_type secretary cookies dsns';

test('the name of a credential is known in any spelling, and page tokens are not credentials', () => {
  expect(NAMES.split(' ').filter((name) => !isSecretName(name))).toEqual([]);
  expect(OTHERS.split(' ').filter((name) => isSecretName(name))).toEqual([]);
});

test('a known credential is masked, but a short one not inside of words', () => {
  expect(maskSecret('403 for client_secret=dev-secret', 'dev-secret')).toBe('403 for client_secret=***');
  expect(maskSecret('403 for x=8letters', '8letters')).toBe('403 for x=***');
  expect(maskSecret('The reply breaks the contract: "b"', 'b')).toBe('The reply breaks the contract: "***"');
});

const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln';

test.each([
  [`${JWT} or ${JWT}`, '*** or ***'],
  [`Bearer ${JWT}.`, 'Bearer ***'],
  [JWT.slice(0, 30), MASK],
  ['a key: -----BEGIN EC KEY-----\nabc', 'a key: ***'],
  ['eyJ.eyJ.x, eyJhbGciOi and --BEGIN', 'eyJ.eyJ.x, eyJhbGciOi and --BEGIN'],
  ['/Mail1/and/another/segment', '/Mail1/and/another/segment'],
])('of the text %j, %j is shown', (text, shown) => {
  expect(withoutTokens(text)).toBe(shown);
});

test.each(
  '-eyJ eyJaaaaa eyJaaaaa. -----BEGIN . -'.split(' '),
)('a mebibyte of %j is searched in one pass', (part) => {
  const text = part.repeat(2 ** 20 / part.length);
  expect([text, MASK]).toContain(withoutTokens(text)); // a search that begins anew at each part would take minutes
});

// Why no reply came, in words.

const failed = (code: string, message = '') =>
  Object.assign(new TypeError('fetch failed'), { cause: { code, message } });

test.each([
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'it speaks no TLS', 'Write http:// in its address.'],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'it speaks no TLS', 'Write http:// in its address.'],
  ['UND_ERR_SOCKET', 'it closed the connection', 'write https:// in its address if it serves HTTPS.'],
  ['ECONNRESET', 'it closed the connection', 'write https:// in its address if it serves HTTPS.'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is not trusted', 'Set NODE_EXTRA_CA_CERTS'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is not trusted', 'Set NODE_EXTRA_CA_CERTS'],
])('%s means: %s', (code, why, advice) => {
  expect(whyUnreachable(failed(code))).toEqual({
    why: `${why} (${code})`,
    advice: expect.stringContaining(advice),
  });
});

test('another code or message is shown, but never the text of an address that cannot be used', () => {
  expect(whyUnreachable(failed('ECONNREFUSED')).why).toBe('ECONNREFUSED');
  expect(whyUnreachable(failed('', 'bad port')).why).toBe('bad port');
  const { why } = whyUnreachable(new TypeError('Invalid URL http://user:hush@[/'));
  expect(why).toBe('the address cannot be used');
});

// Comparisons of a wanted part with a value.

test.each([
  [{ a: 1 }, { a: 1, b: 2 }, true],
  [{ a: { b: [1] } }, { a: { b: [3, 1] } }, true],
  [{ a: [{ b: 1 }] }, { a: [{ b: 2 }, { b: 1, c: 1 }] }, true],
  [{ user_id: 1 }, { userId: 1 }, true],
  [{ a: expect.any(String) }, { a: 'x' }, true],
  [{ a: undefined }, {}, true],
  [{ a: 1 }, { a: 2 }, false],
  [{ a: [] }, { a: {} }, false],
  [[1, 2], [1], false],
  [{ a: 1 }, 'text', false],
  [null, undefined, false],
])('%j is contained in %j: %j, and then there is no difference', (wanted, value, expected) => {
  expect(contains(wanted, value)).toBe(expected);
  expect(differences(wanted, value, 'body').length === 0).toBe(expected);
});

test('a wanted part that is sent elsewhere has no matchers, neither in members nor in lists', () => {
  const any = expect.any(String);
  expect(withoutMatchers({ a: any, b: [any, 1, { c: any, d: null }] })).toEqual({
    a: undefined,
    b: [1, { c: undefined, d: null }],
  });
  expect(differences({ a: [1, any] }, { a: [2] }, 'body')).toEqual([
    { words: 'body.a is [2], expected 1', isByMatcher: false },
    { words: 'body.a is [2], expected "Any<String>"', isByMatcher: true },
  ]);
});

test('behaviour R2: a difference shows no credential', () => {
  const wordsOf = (wanted: object, value: object) => differences(wanted, value, 'body')[0]?.words;
  expect(wordsOf({ a: { password: 'hush' } }, { a: 1 })).toBe('body.a is 1, expected {"password":"***"}');
  expect(wordsOf({ password: 'hush' }, { password: 'hash' })).toBe('body.password is another value');
});

// Behaviour X3: every place that takes an e-mail address accepts the addresses of RFC 5322 and nothing else.

const server = testServer();
afterEach(async () => (await server.mock.environment('development')).reset());

const USER = 'usr_100000000000000005';
const MEMBER = `/api/v1/memberships/organizations/org_100000000000000001/users/${USER}`;
const CONTROL = '/environments/development';

const ADDRESSES = ['root@localhost', '"a b"@acme.test', 'ada@[127.0.0.1]', "o'hara+x@acme.test"];

test.each(ADDRESSES)('behaviour X3: %s is accepted as an e-mail address everywhere', async (email) => {
  const changed = await server.control('PATCH', `${CONTROL}/state`, { users: [{ id: USER, email }] });
  const invited = await server.call('POST', MEMBER, { body: { inviter_email: email } });
  expect([changed.status, invited.status, invited.body.user?.email]).toEqual([200, 201, email]);
  expect(invited.body.user.memberships[0].inviter_email).toBe(email);
  const signedIn = await server.control('POST', `${CONTROL}/sign-ins`, { email, outcome: 'success' });
  expect(signedIn.status).toBe(201);

  // Encodes only what a request with curl must encode.
  const raw = email.replaceAll('"', '%22').replaceAll(' ', '%20').replaceAll('+', '%2B');
  const logs = await server.call('GET', `/api/v1/logs/authentication/requests?email=${raw}`);
  expect(logs.body.authRequests).toHaveLength(1);
  const outbox = await server.control('GET', `${CONTROL}/outbox?to=${raw}`);
  expect(outbox.body.emails).toHaveLength(1);
  const page = await server.call('GET', new URL(outbox.body.emails[0].link).pathname, { token: null });
  expect(page.status).toBe(200);
});

const WRONG = ['nobody', 'a b@acme.test', 'ada@acme.test ', 'ada@@acme.test', '@acme.test', 'ada@[127.0.0.1'];

test('behaviour X3, I5: any other text is no e-mail address, and one has at most 254 characters', () => {
  expect(WRONG.filter(isEmail)).toEqual([]);
  const withLength = (length: number) => `${'a'.repeat(length - 10)}@acme.test`;
  expect([254, 255].map((length) => isEmail(withLength(length)))).toEqual([true, false]);
});

const folder = temporaryFolder();
const fifo = makeFifo();

test('only regular files up to a size are read, and a pipe without a writer is refused at once', () => {
  const small = join(folder, 'small');
  writeFileSync(small, 'text');
  expect(readRegularFile(small)).toEqual({ bytes: Buffer.from('text') });
  const large = join(folder, 'large');
  writeFileSync(large, '');
  truncateSync(large, 64 * 2 ** 20 + 1);
  expect(readRegularFile(large)).toEqual({ problem: 'is larger than 64 MiB' });
  expect(readRegularFile(fifo)).toEqual({ problem: 'is not a regular file' });
  expect(readRegularFile(folder)).toEqual({ problem: 'is a folder' });
  expect(readRegularFile(join(folder, 'none'))).toEqual({ problem: 'cannot be read (ENOENT)' });
});
