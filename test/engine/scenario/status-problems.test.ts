/** A derived value in a scenario must be the value that reads would return; otherwise the scenario is refused. */
import { expect, test } from '@jest/globals';
import { environment, load, problemsOf, problemsWith, readMark } from './files.ts';

const MEMBER = (lines: string): string => `organizations: [{ name: acme }]
roles: [{ name: reader, permissions: [read] }]
users: [{ email: a@b.test, memberships: [{ name: acme, ${lines} }] }]`;

const ACCOUNT = (lines: string): string => `connections: [{ key_id: mail }]
connected_accounts: [{ connector: mail, identifier: a, ${lines} }]`;

const BARE = 'authorization_details: { oauth_token: { access_token: t } }';

/** Expects exactly one problem, at the mark `»`. Returns its text from below `environments.test`, without the advice. */
const problemAt = (marked: string): string => {
  const { text, place } = readMark(environment(marked));
  const [problem = '', ...more] = problemsOf(() => load(text));
  expect(more).toEqual([]);
  expect(problem).toMatch(new RegExp(`^main\\.yaml:${place}: environments\\.test\\.`));
  return problem
    .replace(/^.*environments\.test\./, '')
    .replace(' after loading, because of other members; write that value, or change those members', '');
};

test.each([
  ['membership_status: »PENDING_INVITE, expires_at: -1d', 'membership_status: would read INVITE_EXPIRED'],
  [
    'membership_status: »PENDING_INVITE, invite: { status: revoked }',
    'membership_status: would read INVITE_EXPIRED',
  ],
  ['membership_status: »INVITE_EXPIRED, invite: null', 'membership_status: would read PENDING_INVITE'],
  ['membership_status: PENDING_INVITE, accepted_at: »-1d', 'accepted_at: would read never'],
  ['membership_status: PENDING_INVITE, join_time: »now', 'join_time: would read never'],
  [
    'membership_status: INACTIVE, accepted_at: never, invite: { status: »pending }',
    'invite.status: would read revoked',
  ],
])('behaviour M6: a membership with this contradiction is refused: %s', (marked, problem) => {
  expect(problemAt(MEMBER(marked))).toBe(`users[0].memberships[0].${problem}`);
});

test.each([
  'membership_status: PENDING_INVITE, accepted_at: never, join_time: never',
  'membership_status: INVITE_EXPIRED, invite: { status: revoked }, expires_at: +1d',
  'membership_status: INACTIVE, accepted_at: never, invite: { status: revoked }',
  'roles: [{ name: reader }], permissions: [read]',
])('behaviour M6: a membership without contradictions is accepted: %s', (lines) => {
  expect(problemsWith(MEMBER(lines))).toEqual([]);
});

test.each([
  ['status: »EXPIRED, token_expires_at: +1h', 'status: would read ACTIVE'],
  ['status: »EXPIRED, refresh: grant', 'status: would read ACTIVE'],
  ['status: »EXPIRED, stored_status: DISCONNECTED', 'status: would read DISCONNECTED'],
  ['status: DISCONNECTED, stored_status: »ACTIVE', 'stored_status: would read DISCONNECTED'],
  [`status: »ACTIVE, ${BARE}, token_expires_at: -1h`, 'status: would read EXPIRED'],
  [`status: »PENDING_AUTH, ${BARE}`, 'status: would read ACTIVE'],
  ['status: »ACTIVE, authorization_details: {}', 'status: would read PENDING_AUTH'],
  ['authorization_type: »API_KEY', 'authorization_type: would read OAUTH'],
  ['provider: »GMAIL', 'provider: would read MAIL'],
])('behaviour A5, A6, A8: an account with this contradiction is refused: %s', (marked, problem) => {
  expect(problemAt(ACCOUNT(marked))).toBe(`connected_accounts[0].${problem}`);
});

test('behaviour A8: an account whose token has expired can be ACTIVE if the provider would refresh the token', () => {
  expect(problemsWith(ACCOUNT('status: ACTIVE, token_expires_at: -1h'))).toEqual([]);
});

test('behaviour A8: a status is checked against absolute times only if the file sets a clock', () => {
  const lines = `status: EXPIRED, ${BARE}, token_expires_at: 2026-01-01T00:00:00Z`;
  expect(problemsWith(ACCOUNT(lines))).toEqual([]);
  const at = (clock: string) => problemsOf(() => load(`clock: ${clock}\n${environment(ACCOUNT(lines))}`));
  expect(at('2026-01-02T00:00:00Z')).toEqual([]);
  expect(at('2025-12-31T00:00:00Z')).toEqual([expect.stringContaining('would read ACTIVE')]);
  const text = `clock: 2026-01-02T00:00:00Z\n${environment(ACCOUNT(lines))}`;
  expect(problemsOf(() => load(text, { clock: '2025-12-31T00:00:00Z' }))).toEqual([]); // the file's own clock counts
  expect(at('{ mode: running, now: 2025-12-31T00:00:00Z }')).toEqual([
    expect.stringContaining('would read ACTIVE'),
  ]);
});

test('behaviour V3: an open verification request makes an account PENDING_VERIFICATION, an expired request does not', () => {
  const request = (end: string) =>
    `${ACCOUNT('status: »ACTIVE')}\nverification_requests: [{ account: mail/a, expires_at: ${end} }]`;
  expect(problemAt(request('+1h'))).toBe('connected_accounts[0].status: would read PENDING_VERIFICATION');
  expect(problemsWith(request('-1h').replace('»', ''))).toEqual([]);
});

const SSO = 'connections: [{ key_id: sso, type: OIDC, provider: OKTA }]\n';

test.each([
  [MEMBER('permissions: »[read, write], roles: [{ name: reader }]'), 'permissions: would read read'],
  ['connections: [{ key_id: mail, organization_name: »Globex }]', 'organization_name: would read none'],
  ['connections: [{ key_id: mail, serverless: »true }]', 'serverless: would read false'],
  [
    'custom_providers: [{ display_name: A, proxy_url: https://a, auth_patterns: [{}], is_custom_mcp: »true }]',
    'would read false',
  ],
  [
    `${SSO}authentication_requests: [{ connection_id: sso, connection_type: »SAML }]`,
    'connection_type: would read OIDC',
  ],
  [
    `${SSO}authentication_requests: [{ connection_details: [{ connection_id: sso, connection_provider: »GOOGLE }] }]`,
    'connection_provider: would read OKTA',
  ],
  [
    `${SSO}users: [{ email: a@b.test, user_profile: { external_identities: [{ connection_id: sso, connection_type: »SAML }] } }]`,
    'connection_type: would read OIDC',
  ],
])('behaviour X3: a wrong derived value is refused: %s', (marked, problem) => {
  expect(problemAt(marked)).toContain(problem);
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

test('the problem of a contradiction does not show values that belong to credentials', () => {
  const [problem] = problemsWith(`connections: [{ key_id: key, type: TRUSTED_IDP }]
connected_accounts:
  - { connector: key, identifier: a, token_expires_at: +1h, authorization_details: { trusted_idp: { db_user: '', expiry: +2h } } }`);
  expect(problem ?? '').not.toContain('+1h');
});
