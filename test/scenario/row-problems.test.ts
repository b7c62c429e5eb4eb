/** Every rule about the form of rows with a row that breaks it. `»` stands before the place that the problem must name. */
import { expect, test } from '@jest/globals';
import { environment, load, problemsOf, problemsWith, readMark } from './files.ts';

test.each([
  [
    'a status nobody knows',
    `connections: [{ key_id: mail }]
connected_accounts:
  - { connector: mail, identifier: a, status: »ACTVE }`,
    'environments.test.connected_accounts[0].status: "ACTVE" must be one of ACTIVE, EXPIRED, PENDING_AUTH, PENDING_VERIFICATION, DISCONNECTED. Did you mean "ACTIVE"?',
  ],
  [
    'a text that is not a time',
    `users:
  - { email: a@b.test, create_time: »yesterday }`,
    'environments.test.users[0].create_time: "yesterday" must be a time such as 2026-01-15T09:30:00Z, now, -3d, +15m or +2h30m',
  ],
  [
    'a day that is not in the calendar',
    `users:
  - { email: a@b.test, create_time: »2026-02-31T00:00:00Z }`,
    'environments.test.users[0].create_time: "2026-02-31T00:00:00Z" must be a time such as',
  ],
  [
    '`never` for a time that a row must have',
    `users:
  - { email: a@b.test, create_time: »never }`,
    'environments.test.users[0].create_time: "never" must be a time such as',
  ],
  [
    'a text that is not a duration',
    'settings: { magic_link_ttl: »soon }',
    'environments.test.settings.magic_link_ttl: "soon" must be a duration such as',
  ],
  [
    'a setting nobody knows',
    'settings: { »hostd: approve }',
    'environments.test.settings.hostd: there is no member "hostd" here. Did you mean "hosted"?',
  ],
  [
    'repeat below one',
    'organizations: [{ name: a, repeat: »0 }]',
    'environments.test.organizations[0].repeat: 0 must be 1 or more',
  ],
  [
    'a repeated row whose last one is too long',
    `connections: [{ key_id: mail }]
connected_accounts:
  - { repeat: 10, id: »"ca_{n}{n}{n}{n}{n}{n}{n}{n}{n}{n}{n}{n}{n}{n}{n}{n}", connector: mail, identifier: "{n}" }`,
    'environments.test.connected_accounts[0].id:',
  ],
  [
    'a reference to no organization',
    `organizations: [{ name: acme }]
users:
  - { email: a@b.test, memberships: [{ organization_id: »acmee }] }`,
    'environments.test.users[0].memberships[0].organization_id: there is no organization "acmee". Did you mean "acme"?',
  ],
  [
    'a reference to no role',
    `organizations: [{ name: acme }]
roles: [{ name: admin }]
users:
  - { email: a@b.test, memberships: [{ organization_id: acme, roles: [admin, »admn] }] }`,
    'environments.test.users[0].memberships[0].roles[1]: there is no role "admn". Did you mean "admin"?',
  ],
  [
    'a reference to no connection',
    `connections: [{ key_id: mail }]
connected_accounts: [{ connector: »mial, identifier: a }]`,
    'environments.test.connected_accounts[0].connector: there is no connection "mial". Did you mean "mail"?',
  ],
  [
    'a sign-in by no connection',
    'authentication_requests: [{ email: a@b.test, connection_id: »sso }]',
    'environments.test.authentication_requests[0].connection_id: there is no connection "sso".',
  ],
  [
    'an identity at no connection',
    'users: [{ email: a@b.test, user_profile: { external_identities: [{ connection_id: »sso }] } }]',
    'environments.test.users[0].user_profile.external_identities[0].connection_id: there is no connection "sso".',
  ],
  [
    'a sign-in of an unknown kind of client',
    'authentication_requests: [{ email: a@b.test, client_type: »CLI }]',
    'environments.test.authentication_requests[0].client_type: "CLI" must be one of ENV, NTV, SPA, M2M',
  ],
  [
    'a link to no account',
    'authorization_links: [{ account: »mail/a }]',
    'environments.test.authorization_links[0].account: there is no account "mail/a".',
  ],
  [
    'a link that names no account',
    'authorization_links: [»{ expires_at: never }]',
    'environments.test.authorization_links[0]: needs account (an id, or connector/identifier), or connector and identifier',
  ],
  [
    'a log entry of no connection',
    'authentication_requests: [{ connection_id: »mail }]',
    'environments.test.authentication_requests[0].connection_id: there is no connection "mail".',
  ],
  [
    'an organization without a name',
    'organizations: [»{}]',
    'environments.test.organizations[0]: an organization needs a name',
  ],
  [
    'a row to remove that is not there',
    'organizations: [{ name: acme, remove: »true }]',
    'environments.test.organizations[0].remove: there is no such row to remove',
  ],
])('a problem names file, line, column and path: %s', (_, marked, problem) => {
  const { text, place } = readMark(environment(marked));
  expect(problemsOf(() => load(text))).toContainEqual(
    expect.stringContaining(`main.yaml:${place}: ${problem}`),
  );
});

test('a problem never shows a credential', () => {
  const [problem] = problemsWith('clients: [{ client_id: a, client_secret: [hush-hush] }]');
  expect(problem).toContain('client_secret: must be a text');
  expect(problem).not.toContain('hush');
});

test('all problems are reported together, in the order of the file', () => {
  const problems = problemsWith(
    'users:\n  - { email: nobody }\n  - { emial: a@b.test }\norganizations: [{ nme: acme }]',
  );
  expect(problems.map((line) => line.split(':').slice(0, 3).join(':'))).toEqual([
    'main.yaml:4:18',
    'main.yaml:5:11',
    'main.yaml:6:23',
  ]);
});
