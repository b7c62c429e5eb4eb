/** Mistakes in a row against the format or the rules of the API. In the cases, `»` marks the place of the problem. */
import { expect, test } from '@jest/globals';
import { rowsOf } from '../../support/core.ts';
import { environment, inFull, load, loadFiles, problemsOf, problemsWith, readMark } from './files.ts';

const CASES = `
ACCOUNT status: »ACTVE => connected_accounts[0].status: is "ACTVE", but must be one of ACTIVE, EXPIRED, PENDING_AUTH, PENDING_VERIFICATION, DISCONNECTED. Did you mean "ACTIVE"?
users: [{ email: a@b.test, create_time: »never }] => users[0].create_time: is "never", but must be a time such as
MAIL connected_accounts: [{ repeat: 10, id: »"ca_{n}{n}{n}{n}{n}{n}{n}{n}{n}{n}{n}{n}{n}{n}{n}{n}", connector: mail, identifier: "{n}" }] => connected_accounts[0].id:
organizations: [{ name: acme, »timeout: 5 }] => organizations[0].timeout: is not a known member. The members are id, name, display_name, repeat, remove.
organizations: [{ name: acme }, { name: »acme, remove: true }] => organizations[1].name: another organization has the name "acme"
users: [{ email: »"{body.email}" }] => users[0].email: is "{body.email}", but must be an e-mail address
users: [{ email: a@b.test, metadata: { a~1b: »5 } }] => users[0].metadata.a~1b: is 5, but must be a string. Write it in quotes.
custom_providers: [{ display_name: Team Wiki, proxy_url: https://x.test, auth_patterns: [{}] }]; connections: [{ key_id: wiki, provider_key: »Team Wikki }, { key_id: chat, provider_key: chart }] => connections[0].provider_key: there is no custom provider "Team Wikki". Did you mean "Team Wiki"?
users: [{ email: a@b.test, user_profile: { phone_number_verified: »'true' } }] => users[0].user_profile.phone_number_verified: is "true", but must be true or false. Write true without quotes.
custom_providers: [{ display_name: Wiki, display_priority: »'-1' }] => custom_providers[0].display_priority: is "-1", but must be a 32-bit whole number (at most 2147483647). Write -1 without quotes.
authorization_links: [»{ expires_at: never }] => authorization_links[0]: needs "account" (an id, or CONNECTOR/IDENTIFIER), or both "connector" and "identifier"
clients: [»{ client_id: a }] => clients[0]: a client needs client_id and client_secret
roles: [»{ permissions: [read] }] => roles[0]: a role needs a name
MAIL connected_accounts: [»{ connector: mail }] => connected_accounts[0]: an account needs an identifier
users: [{ id: usr_100000000000000001, email: a@b.test }, { id: »usr_100000000000000001, email: a@b.test }] => users[1].id: another user has this id
organizations: [»{}] => organizations[0]: an organization needs a name
connections: [»{ type: OAUTH }] => connections[0]: a connection needs a key_id
users: [{ email: a@b.test, memberships: [»{ roles: [] }] }] => users[0].memberships[0]: a membership needs organization_id
MAIL connected_accounts: [{ connector: mail, identifier: a }]; authorization_links: [{ connector: mail, identifier: »b }] => authorization_links[0].identifier: there is no account "mail/b". Did you mean "mail/a"?
connected_accounts: [»{}] => connected_accounts[0]: an account needs a connector
organizations: [{ name: acme, remove: »true }] => organizations[0].remove: there is no such row to remove
organizations: [{ name: globex }]; connections: [{ key_id: mail }]; connected_accounts: [{ connector: mail, identifier: a, organization_id: »Globex }] => connected_accounts[0].organization_id: there is no organization "Globex". Did you mean "globex"? Or add "labels: true", which keeps any text as it is.
ACCOUNT user_id: »ada => connected_accounts[0].user_id: there is no user "ada". There are no users yet; write it below users. Or add "labels: true", which keeps any text as it is.
users: [{ email: »nobody }] => users[0].email: is "nobody", but must be an e-mail address
users: [{ email: a@b.test }, { email: »A@b.test }] => users[1].email: another user has the email "a@b.test"
users: [{ email: a@b.test, external_id: x }, { email: b@b.test, external_id: »x }] => users[1].external_id: another user has the external_id "x"
users: [{ email: a@b.test, user_profile: { phone_number: »'0155' } }] => users[0].user_profile.phone_number: is "0155", but must be a phone number such as +441632960961
users: [{ email: a@b.test, user_profile: { locale: »e } }] => users[0].user_profile.locale: "e" is not a BCP 47 language tag such as en-US
users: [{ email: a@b.test, metadata: { »ab: value } }] => users[0].metadata.ab: the key "ab" of metadata must have at least 3 characters
organizations: [{ name: »1.10 }] => organizations[0].name: is 1.10, but must be a string. Write it in quotes.
organizations: [{ name: acme }]; users: [{ email: a@b.test, memberships: [{ organization_id: acme }, { name: »acme }] }] => users[0].memberships[1].name: another membership has the organization acme
organizations: [{ repeat: 2, name: »{n} }] => organizations[0].name: is an object, but must be a string. Write "{n}", because YAML reads {n} as an object.
users: [{ email: a@b.test, memberships: [»acme] }] => users[0].memberships[0]: is a string, but must be a row such as { organization_id: acme }
users: [{ email: a@b.test, last_login_time: »1700000000 }] => users[0].last_login_time: is 1700000000, but must be a time such as 2026-01-15T09:30:00Z, now, -3d, +15m or +2h30m, or never
custom_providers: [{ display_name: Wiki, display_priority: »3000000000 }] => custom_providers[0].display_priority: is 3000000000, but must be a 32-bit whole number (at most 2147483647)
custom_providers: [»{ display_name: Wiki }] => custom_providers[0]: a custom provider needs a display_name and a proxy_url
SSO connected_accounts: [{ connector: »sso, identifier: a }] => connected_accounts[0].connector: sso is a sign-in connection (OIDC) and holds no accounts
SSO connected_accounts: [{ connection_id: »sso, identifier: a }] => connected_accounts[0].connection_id: sso is a sign-in connection (OIDC) and holds no accounts
authentication_requests: [{ environment_id: »env_2 }] => authentication_requests[0].environment_id: must be env_
MAIL connected_accounts: [{ connector: mail, identifier: a }]; authorization_links: [{ account: mail/a, user_verify_url: »https://a..test }] => authorization_links[0].user_verify_url: is not an http or https URL
connections: [{ key_id: crm, type: API_KEY }]; connected_accounts: [{ connector: crm, identifier: a }]; verification_requests: [»{ account: crm/a }] => verification_requests[0]: crm (API_KEY) needs no verification; only OAuth connectors need it
MAIL connected_accounts: [{ connector: mail, identifier: a }, { connector: MAIL, identifier: »a }] => connected_accounts[1].identifier: another account has the identifier "mail/a"
connections: [{ key_id: crm, type: API_KEY }]; connected_accounts: [{ connector: crm, identifier: a, authorization_details: { oauth_token: »{ access_token: t } } }] => connected_accounts[0].authorization_details.oauth_token: cannot be set: the connection crm (API_KEY) takes static_auth and nothing else
roles: [{ name: a, default: true }, { name: b, default: »true }] => roles[1].default: only one role can be the default, and a is already the default
roles: [{ name: a, extends: »b }, { name: b, extends: a }] => roles[0].extends: the role a extends itself
connections: [{ key_id: sky, type: NO_AUTH }]; connected_accounts: [{ connector: sky, identifier: a }]; authorization_links: [»{ account: sky/a }] => authorization_links[0]: accounts of sky (NO_AUTH) have no links
custom_providers: [{ display_name: Wiki, proxy_url: https://a.test }, { display_name: »WIKI }] => custom_providers[1].display_name: another custom provider has the display_name "wiki"
`;

test.each(
  rowsOf(CASES),
)('behaviour A3, A4, A5, E6, L1, M1, M2, N1, P1, P2, V2, V3, X1, X3: a mistake in a row is reported with its file, line, column and path: %s: %s', (marked, problem) => {
  const { text, place } = readMark(environment(inFull(marked)));
  expect(problemsOf(() => load(text))).toContainEqual(
    expect.stringContaining(`main.yaml:${place}: environments.test.${problem}`),
  );
});

test.each([
  ['clients: [{ client_id: a, client_secret: [hush-hush] }]', 'client_secret: must be a string', 'hush'],
  ['users: [{ email: a@b.test, last_login_time: 1700000000 }]', 'is 1700000000, but must be', 'quotes'],
])('behaviour R2, N5: a problem shows no credential, and no advice that does not help: %s', (lines, told, hidden) => {
  const problems = problemsWith(lines);
  expect(problems).toEqual([expect.stringContaining(told)]);
  expect(problems).toEqual([expect.not.stringContaining(hidden)]);
});

test('behaviour E5: a client that a later file removes from an environment can belong to another', () => {
  const clients = (more = '') => `{ clients: [{ client_id: same, client_secret: s${more} }] }`;
  const files = {
    'base.yaml': `environments: { a: ${clients()} }`,
    'moved.yaml': `extends: ./base.yaml\nenvironments: { a: ${clients(', remove: true')}, b: ${clients()} }`,
    'again.yaml': `extends: ./moved.yaml\nenvironments: { a: ${clients()} }`,
  };
  const problems = (main: string) => problemsOf(() => loadFiles(files, {}, main));
  expect(problems('./moved.yaml')).toEqual([]);
  expect(problems('./again.yaml').join()).toContain('has the same client_id');
});

test.each([
  ['clients[0].client_id', 'client_id', 'clients: [{ client_id: »same, client_secret: s }]'],
  ['access_tokens', 'bearer', 'access_tokens: »[same]'],
  ['id', 'id', 'id: »env_1'],
])('behaviour E5: two environments cannot have the same %s', (member, what, marked) => {
  const { text, place } = readMark(
    `environments:\n  a:\n    ${marked.replace('»', '')}\n  b:\n    ${marked}\n`,
  );
  expect(problemsOf(() => load(text))).toEqual([
    expect.stringContaining(
      `main.yaml:${place}: environments.b.${member}: the environment a has the same ${what}; each environment needs its own`,
    ),
  ]);
});

// A derived value in a scenario must be the value that reads would return; otherwise the scenario is refused.

/** Expects exactly one problem, at the mark `»`. Returns its text from below `environments.test`, without the advice. */
const problemAt = (marked: string): string => {
  const { text, place } = readMark(environment(inFull(marked)));
  const [problem = '', ...more] = problemsOf(() => load(text));
  expect(more).toEqual([]);
  expect(problem).toMatch(new RegExp(`^main\\.yaml:${place}: environments\\.test\\.`));
  return problem
    .replace(/^.*environments\.test\./, '')
    .replace(' after loading, because of other members; write that value, or change those members', '');
};

const CONTRADICTIONS = `
MEMBER membership_status: »PENDING_INVITE, expires_at: -1d => users[0].memberships[0].membership_status: would read INVITE_EXPIRED
MEMBER membership_status: »PENDING_INVITE, invite: { status: revoked } => users[0].memberships[0].membership_status: would read INVITE_EXPIRED
MEMBER membership_status: »INVITE_EXPIRED, invite: null => users[0].memberships[0].membership_status: would read PENDING_INVITE
MEMBER membership_status: PENDING_INVITE, accepted_at: »-1d => users[0].memberships[0].accepted_at: would read never
MEMBER membership_status: PENDING_INVITE, join_time: »now => users[0].memberships[0].join_time: would read never
MEMBER membership_status: INACTIVE, accepted_at: never, invite: { status: »pending } => users[0].memberships[0].invite.status: would read revoked
MEMBER permissions: »[read, write], roles: [{ name: reader }] => users[0].memberships[0].permissions: would read read
ACCOUNT status: »EXPIRED, token_expires_at: +1h => connected_accounts[0].status: would read ACTIVE
ACCOUNT status: »EXPIRED, refresh: grant => connected_accounts[0].status: would read ACTIVE
ACCOUNT status: »EXPIRED, stored_status: DISCONNECTED => connected_accounts[0].status: would read DISCONNECTED
ACCOUNT status: DISCONNECTED, stored_status: »ACTIVE => connected_accounts[0].stored_status: would read DISCONNECTED
ACCOUNT status: »ACTIVE, BARE, token_expires_at: -1h => connected_accounts[0].status: would read EXPIRED
ACCOUNT status: »PENDING_AUTH, BARE => connected_accounts[0].status: would read ACTIVE
ACCOUNT status: »ACTIVE, authorization_details: {} => connected_accounts[0].status: would read PENDING_AUTH
ACCOUNT authorization_type: »API_KEY => connected_accounts[0].authorization_type: would read OAUTH
ACCOUNT provider: »GMAIL => connected_accounts[0].provider: would read MAIL
connections: [{ key_id: mail, organization_name: »Globex }] => connections[0].organization_name: would read none
connections: [{ key_id: mail, serverless: »true }] => connections[0].serverless: would read false
custom_providers: [{ display_name: A, proxy_url: https://a, auth_patterns: [{}], is_custom_mcp: »true }] => custom_providers[0].is_custom_mcp: would read false
SSO authentication_requests: [{ connection_id: sso, connection_type: »SAML }] => authentication_requests[0].connection_type: would read OIDC
SSO authentication_requests: [{ connection_details: [{ connection_id: sso, connection_provider: »GOOGLE }] }] => authentication_requests[0].connection_details[0].connection_provider: would read OKTA
SSO users: [{ email: a@b.test, user_profile: { external_identities: [{ connection_id: sso, connection_type: »SAML }] } }] => users[0].user_profile.external_identities[0].connection_type: would read OIDC
`;

test.each(
  rowsOf(CONTRADICTIONS),
)('behaviour A5, A6, A8, M6, X3: what contradicts the other members of a row is refused: %s: %s', (marked, problem) => {
  expect(problemAt(marked)).toBe(problem);
});

test.each([
  'MEMBER membership_status: PENDING_INVITE, accepted_at: never, join_time: never',
  'MEMBER membership_status: INVITE_EXPIRED, invite: { status: revoked }, expires_at: +1d',
  'MEMBER membership_status: INACTIVE, accepted_at: never, invite: { status: revoked }',
  'MEMBER roles: [{ name: reader }], permissions: [read]',
  'ACCOUNT status: ACTIVE, token_expires_at: -1h', // the provider would refresh it
])('behaviour A8, M6: a row without contradictions is accepted: %s', (lines) => {
  expect(problemsWith(inFull(lines))).toEqual([]);
});

test('behaviour A8: a status is checked against absolute times only if the file sets a clock', () => {
  const lines = inFull('ACCOUNT status: EXPIRED, BARE, token_expires_at: 2026-01-01T00:00:00Z');
  expect(problemsWith(lines)).toEqual([]);
  const at = (clock: string) => problemsOf(() => load(`clock: ${clock}\n${environment(lines)}`));
  expect(at('2026-01-02T00:00:00Z')).toEqual([]);
  expect(at('2025-12-31T00:00:00Z')).toEqual([expect.stringContaining('would read ACTIVE')]);
  const text = `clock: 2026-01-02T00:00:00Z\n${environment(lines)}`;
  expect(problemsOf(() => load(text, { clock: '2025-12-31T00:00:00Z' }))).toEqual([]); // the file's own clock counts
  expect(at('{ mode: running, now: 2025-12-31T00:00:00Z }')).toEqual([
    expect.stringContaining('would read ACTIVE'),
  ]);
});

test('behaviour V3: an open verification request makes an account PENDING_VERIFICATION, an expired request does not', () => {
  const request = (end: string) =>
    `ACCOUNT status: »ACTIVE\nverification_requests: [{ account: mail/a, expires_at: ${end} }]`;
  expect(problemAt(request('+1h'))).toBe('connected_accounts[0].status: would read PENDING_VERIFICATION');
  expect(problemsWith(inFull(request('-1h').replace('»', '')))).toEqual([]);
});

test('behaviour X3: correct derived values are accepted, even with different names of the same row and lists in a different order', () => {
  expect(
    problemsWith(`
organizations: [{ id: org_1, name: acme }]
roles: [{ name: editor, permissions: [read, write] }, { name: owner, extends: editor }]
connections: [{ id: conn_1, key_id: sso, type: OIDC, organization_id: org_1, organization_name: Acme }]
users:
  - email: a@b.test
    create_time: -24h
    user_profile: { external_identities: [{ connection_id: conn_1, connection_type: OIDC }] }
    memberships: [{ name: acme, organization_id: org_1, roles: [{ name: editor }], permissions: [write, read] }]
authentication_requests: [{ connection_id: conn_1, organization_id: acme }]`),
  ).toEqual([]);
});
