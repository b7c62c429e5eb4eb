/** How bodies, addresses and headers are masked before they are shown (behaviour R2, A5). */
import { expect, test } from '@jest/globals';
import '../../../src/service/index.ts'; // whose contract marks the credentials
import { isSecretMember } from '../../../src/engine/contract/marks.ts';
import { MASK, maskUrl } from '../../../src/engine/core/secrets.ts';
import { kindOfBody, maskBody, maskHeader } from '../../../src/engine/environments/masking.ts';

const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';

const allMasked = (...names: string[]) => Object.fromEntries(names.map((name) => [name, MASK]));

const shown = (text: string): unknown => maskBody(text, 'json');

test.each([
  ['Application/JSON; charset=utf-8', 'json'],
  ['application/problem+json', 'json'],
  ['application/x-www-form-urlencoded ;charset=utf-8', 'form'],
  ['TEXT/html', 'text'],
  ['application/jsonlines', 'other'],
])('a body of the content type %s is read as %s', (contentType, kind) => {
  expect(kindOfBody(contentType)).toBe(kind);
});

test.each<[string, unknown]>([
  ['{"access_token":"S","token_type":"Bearer"}', { access_token: MASK, token_type: 'Bearer' }],
  ['{"accessToken":"S","ACCESS-TOKEN":"S"}', { accessToken: MASK, 'ACCESS-TOKEN': MASK }],
  ['{"next_page_token":"p","page_token":"q"}', { next_page_token: 'p', page_token: 'q' }],
  ['{"client\\u005fsecret":"S"}', { client_secret: MASK }],
  ['{"client_secret":["S",{"a":"S"}]}', { client_secret: [MASK, { a: MASK }] }],
  ['{"client_secret[]":"S","a[access_token]":"S"}', { 'client_secret[]': MASK, 'a[access_token]': MASK }],
  [
    '{"metadata":{"secret_access_key":"S","session_token":"S","x":1}}',
    { metadata: { secret_access_key: MASK, session_token: MASK, x: 1 } },
  ],
  [
    '{"authorization_details":{"oauth_token":{"scopes":["S"],"n":1}},"connector":"mail"}',
    { authorization_details: { oauth_token: { scopes: [MASK], n: MASK } }, connector: 'mail' },
  ],
  [
    '{"static_auth":{"details":{"api_key":"S","a":1,"password":"","token":null}},"x":1}',
    { static_auth: { details: { api_key: MASK, a: MASK, password: '', token: null } }, x: 1 },
  ],
  [
    '{"connected_account":"{\\"client_secret\\":\\"S\\",\\"a\\":1}"}',
    { connected_account: '{"client_secret":"***","a":1}' },
  ],
  [
    '{"user_verify_url":"https://a.test/b?access_token=S&c=d"}',
    { user_verify_url: 'https://a.test/b?access_token=***&c=d' },
  ],
  ['{"url":"https://a.test/b?c=d","n":1,"b":true}', { url: 'https://a.test/b?c=d', n: 1, b: true }],
  ['{"__proto__":{"client_secret":"S"}}', JSON.parse('{"__proto__":{"client_secret":"***"}}')],
  ['[{"client_secret":"S"}]', [{ client_secret: MASK }]],
  [`{"a":"${JWT}","b":["x ${JWT} y"]}`, { a: MASK, b: ['x *** y'] }],
  [
    '{"pwd":"S","credentials":"S","passcode":"S","ssh_key":"S","dsn":"S"}',
    allMasked('pwd', 'credentials', 'passcode', 'ssh_key', 'dsn'),
  ],
  [
    '{"token_value":"S","apikey_v2":"S","db_password_old":"S","connectionString":"S"}',
    allMasked('token_value', 'apikey_v2', 'db_password_old', 'connectionString'),
  ],
  [`{"api_config":{"pem":"-----BEGIN EC KEY-----\\nS"}}`, { api_config: { pem: MASK } }],
  ['7', 7],
])('the body %s is shown with its credentials masked', (body, expected) => {
  expect(shown(body)).toEqual(expected);
});

test.each([
  '{client_secret: "S"}',
  '{"client_secret": "S',
  '<client_secret>S</client_secret>',
])('of the body %s, which is not JSON, only length and digest are shown', (body) => {
  const bytes = Buffer.byteLength(body);
  expect(shown(body)).toMatch(new RegExp(`^\\[${bytes} bytes that are not JSON, SHA-256 [0-9a-f]{16}\\]$`));
});

test('a body that is neither JSON nor a form is never shown', () => {
  expect(maskBody('{"a":"S"}', kindOfBody('text/plain'))).toMatch(/^\[9 bytes that are neither/);
  expect(maskBody('{"a":"S"}', kindOfBody(undefined))).toMatch(/^\[9 bytes that are neither/);
});

test.each([
  ['client_id=a&client_secret=S&grant_type=x', 'client_id=a&client_secret=***&grant_type=x'],
  ['client%5Fsecret=S', 'client%5Fsecret=***'],
  ['client_secret[]=S&access_token[0]=S', 'client_secret[]=***&access_token[0]=***'],
  ['{"client_secret":"S"}', '***'],
])('the form %s is shown as %s', (body, expected) => {
  expect(maskBody(body, 'form')).toBe(expected);
});

test.each([
  ['/a?access_token=S&page_token=p&x=1', '/a?access_token=***&page_token=p&x=1'],
  ['/a?client_secret%5B%5D=S', '/a?client_secret%5B%5D=***'],
  ['/a?{client_secret:"S"}', '/a?***'],
  ['/a?"client_secret"=>"S"', '/a?***'],
  ['/a?client_secret', '/a?***'],
  ['/a?q=%zz&identifier=ada%40acme.test&query=', '/a?q=%zz&identifier=ada%40acme.test&query='],
  [`/a/${JWT}?page_token=p&y=${JWT}`, '/a/***?page_token=p&y=***'],
  ['/a?', '/a?'],
  ['/users:external/x', '/users:external/x'],
  ['/a?%70assword=S', '/a?%70assword=***'],
])('the address %s is shown as %s', (url, expected) => {
  expect(maskUrl(url)).toBe(expected);
});

test('credentials in headers are masked', () => {
  expect(maskHeader('Authorization', 'Basic S')).toBe('Basic ***');
  for (const name of ['authorization', 'cookie', 'x-api-key', 'x-forwarded-authorization', 'X-Auth-Token'])
    expect(maskHeader(name, 'S')).toBe(MASK);
  expect(maskHeader('x-custom', `a ${JWT}`)).toBe('a ***');
  expect(maskHeader('accept', 'text/html')).toBe('text/html');
  expect(maskHeader('www-authenticate', 'Basic realm="a"')).toBe('Basic realm="a"');
});

test('a text that the mock replied is shown', () => {
  expect(maskBody(`busy ${JWT}`, 'text', true)).toBe('busy ***');
});

test('a member is not masked if a word such as "token" is only a part of its name', () => {
  const names = [
    'tokenizer',
    'secretary',
    'page_token',
    'token_type',
    'passport',
    'keyboard',
    'subject',
    'db_user',
  ];
  expect(names.filter(isSecretMember)).toEqual([]);
});

test('behaviour R2: the contract says which of its members are credentials, in any spelling', () => {
  const names = [
    'authorization_details',
    'authorizationDetails',
    'static_auth',
    'vendorb_dwd',
    'trusted_idp',
    'access_key_id',
  ];
  expect(names.filter((name) => !isSecretMember(name))).toEqual([]);
});
