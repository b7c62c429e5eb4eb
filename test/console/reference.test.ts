/** The reference of the API: its operations, what it says of a schema, and the form that makes a call. */
import { expect, test } from '@jest/globals';
import { openPage } from '../support/page.ts';
import { listeningServer } from '../support/server.ts';

const server = await listeningServer();
const own = await server.isolated({ name: 'own', clock: '2026-03-01T12:00:00Z' });
const { access_token: token } = (await own.control('GET', '')).body;
const page = await openPage(`${server.mock.url}/_mock/docs#/own`);
const part = (label: string): string =>
  page.root.all.find(({ attributes }) => attributes['aria-label'] === label)?.text ?? '';
const steady = (text: string): string =>
  text
    .replaceAll(server.mock.url, 'URL')
    .replaceAll(token, 'TOKEN')
    .replaceAll(/\d{18}/g, 'N');
/** The sample for curl, on one line. */
const curl = (): string => steady(part('Code: curl')).replaceAll('\\ ', '');

test('the operations are listed by topic, and found by words in their descriptions', async () => {
  expect(part('Operations')).toMatch(
    /^Search operations tokens POST issueToken GET getKeys .* authentication logs GET listAuthenticationRequests$/,
  );
  await page.write('Search operations', 'DELETE providers/');
  expect(part('Operations')).toBe('Search operations custom providers DELETE deleteCustomProvider');
  expect(page.find('DELETE deleteCustomProvider').attributes.href).toBe('#/own/deleteCustomProvider');
  await page.write('Search operations', 'nothing at all');
  expect(part('Operations')).toBe('Search operations No operations match.');
  await page.write('Search operations', '');
  expect(page.textOf('main')).toMatch(/ 24 operations\. Complete document: openapi\.yaml Marked statements /);
});

test('an operation has its summary, path, parameters, replies, and types in words', async () => {
  await page.go('#/own/createConnectedAccount');
  const text = page.textOf('main');
  expect(page.document.title).toBe('createConnectedAccount · own · Connected Accounts Mock');
  for (const shown of [
    'All operations Create a connected account POST /api/v1/connected_accounts createConnectedAccount Copy path Fail the next call Stores an account',
    'connector string · up to 400 characters · letters, digits, spaces, hyphens, underscores and colons required inferred I5 A3 : The',
    'identifier string · 1 to 100 characters required inferred I5 : ',
    'organization_id string · 1 to 32 characters inferred I2 : ',
    'connected_account object What a caller can set on an account. Members of connected_account api_config object Settings',
    'scopes list of string What the token allows.',
    'id string · up to 32 characters · an id that starts with ca_ · set by the server required inferred I2',
    'status string · ACTIVE, EXPIRED, PENDING_AUTH, PENDING_VERIFICATION, DISCONNECTED required ACTIVE: usable.',
    'token_expires_at string (date-time) When the token expires;',
  ])
    expect(text).toContain(shown);
});

test.each([
  [
    'issueToken',
    "curl -X POST 'URL/oauth/token' -H 'Content-Type: application/x-www-form-urlencoded' --data-raw 'grant_type=client_credentials&client_id=dev-client&client_secret=dev-secret'",
  ],
  [
    'getConnectedAccountDetails',
    "curl -X GET 'URL/api/v1/connected_accounts/details?id=ca_N' -H 'Authorization: Bearer TOKEN'",
  ],
  ['listConnections', "curl -X GET 'URL/api/v1/connections' -H 'Authorization: Bearer TOKEN'"],
  ['getKeys', "curl -X GET 'URL/keys'"],
  [
    'deleteCustomProvider',
    "curl -X DELETE 'URL/api/v1/custom-providers/INTERNAL_WIKI%3AN' -H 'Authorization: Bearer TOKEN'",
  ],
  [
    'resendInvite',
    "curl -X PATCH 'URL/api/v1/invites/organizations/org_N/users/usr_N/resend' -H 'Authorization: Bearer TOKEN' -H 'Content-Type: application/json' --data-raw '{}'",
  ],
])('the form of %s begins with an example, as a call', async (operation, call) => {
  await page.go(`#/own/${operation}`);
  expect(curl()).toBe(call);
});

test('an edited form is the call that is sent, and its reply is shown', async () => {
  await page.go('#/own/getConnectedAccountDetails');
  await page.write('Example', 'byPair', 'change');
  expect(curl()).toMatch('connected_accounts/details?connector=');
  await page.write('connector', 'mail');
  await page.write('identifier', 'a b&c');
  expect(curl()).toBe(
    "curl -X GET 'URL/api/v1/connected_accounts/details?connector=mail&identifier=a+b%26c' -H 'Authorization: Bearer TOKEN'",
  );
  page.calls.length = 0;
  await page.submit('Execute');
  expect(page.calls.map(steady)).toEqual([
    'GET URL/api/v1/connected_accounts/details?connector=mail&identifier=a+b%26c',
  ]);
  expect(part('Reply')).toMatch(/^404 \d+ ms Reply \{ "code" : 5 , .* Reply headers /);
});

test('a parameter that is false is sent', async () => {
  await page.go('#/own/createMembership');
  await page.write('send_invitation_email', 'false');
  expect(curl()).toContain('?send_invitation_email=false');
});

test('a call that deletes is sent after a question', async () => {
  await page.go('#/own/deleteCustomProvider');
  expect((await page.declining(() => page.submit('Execute'))).join()).not.toContain('DELETE');
  page.asked.length = 0;
  await page.submit('Execute');
  expect(page.asked.map(steady)).toEqual(['Send DELETE URL/api/v1/custom-providers/INTERNAL_WIKI%3AN?']);
  expect(part('Reply')).toMatch(/^200 \d+ ms Reply \{\} Reply headers /);
});
