/** Every rule of the format with a file that breaks it. `»` stands before the place that the fault must name. */
import { expect, test } from '@jest/globals';
import { environment, faultsOf, faultsWith, load, loadFiles, readMark } from './files.ts';

test.each([
  [
    'a member nobody knows',
    `environments:
  test:
    »conections: []
`,
    'environments.test.conections: there is no member "conections" here. Did you mean "connections"?',
  ],
  [
    'a file without environments',
    `»description: nothing
`,
    'needs one environment or more, under environments',
  ],
  [
    'an environment with a bad name',
    `environments:
  »a b: {}
`,
    'environments.a b: the name "a b" must match ^[A-Za-z0-9][A-Za-z0-9_-]*$',
  ],
  [
    'a seed that is no number',
    `seed: »many
environments: { test: {} }
`,
    'seed: "many" must be a whole number',
  ],
  [
    'a clock that is no time',
    `clock: »noon
environments: { test: {} }
`,
    'clock: "noon" must be an ISO 8601 time such as 2026-01-15T09:30:00Z',
  ],
  [
    'text that is no YAML',
    `environments: {
»`,
    'Flow map in block collection must be sufficiently indented and end with a }',
  ],
  [
    'a name that stands twice',
    `seed: 1
»seed: 2
environments: { test: {} }
`,
    'seed: stands twice; leave one out',
  ],
  [
    'behaviour T10: __proto__',
    `environments:
  test:
    »__proto__: {}
`,
    'environments.test.__proto__: the name __proto__ cannot be used; choose another name',
  ],
  [
    'a scenario to extend that is not there',
    `extends: »nowhere
environments: { test: {} }
`,
    'extends: there is no scenario "nowhere". There are main.',
  ],
  [
    'a file to extend that is not there',
    `extends:
  - »./gone.yaml
environments: { test: {} }
`,
    'extends[0]: there is no file gone.yaml',
  ],
])('a fault names file, line and column: %s', (_, marked, fault) => {
  const { text, place } = readMark(marked);
  expect(faultsOf(() => load(text))).toEqual([expect.stringContaining(`main.yaml:${place}: ${fault}`)]);
});

test.each([
  [
    'a status nobody knows',
    `connections: [{ key_id: mail }]
connected_accounts:
  - { connector: mail, identifier: a, status: »ACTVE }`,
    'environments.test.connected_accounts[0].status: "ACTVE" must be one of ACTIVE, EXPIRED, PENDING_AUTH, PENDING_VERIFICATION, DISCONNECTED. Did you mean "ACTIVE"?',
  ],
  [
    'a time that is none',
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
    'never for a time that always is',
    `users:
  - { email: a@b.test, create_time: »never }`,
    'environments.test.users[0].create_time: "never" must be a time such as',
  ],
  [
    'a duration that is none',
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
    'a reference to no user',
    `connections: [{ key_id: mail }]
connected_accounts: [{ connector: mail, identifier: a, user_id: »a@b.test }]`,
    'environments.test.connected_accounts[0].user_id: there is no user "a@b.test".',
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
    'behaviour X3: an e-mail that is none',
    `users:
  - { email: »nobody }`,
    'environments.test.users[0].email: "nobody" must be an e-mail address',
  ],
  [
    'behaviour X3: an e-mail of another user, in any case',
    `users:
  - { email: a@b.test }
  - { email: »A@b.test }`,
    'environments.test.users[1].email: another user has the email "a@b.test"',
  ],
  [
    'behaviour X3: an external id of another user',
    `users:
  - { email: a@b.test, external_id: x }
  - { email: b@b.test, external_id: »x }`,
    'environments.test.users[1].external_id: another user has the external_id "x"',
  ],
  [
    'behaviour X3: a phone number that is not E.164',
    "users: [{ email: a@b.test, user_profile: { phone_number: »'0155' } }]",
    'environments.test.users[0].user_profile.phone_number: "0155" must match',
  ],
  [
    'behaviour X3: a locale that is not BCP 47',
    'users: [{ email: a@b.test, user_profile: { locale: »e } }]',
    'environments.test.users[0].user_profile.locale: "e" is not a BCP 47 language tag such as en-US',
  ],
  [
    'behaviour X1: a metadata key of two characters',
    'users: [{ email: a@b.test, metadata: { »ab: value } }]',
    'environments.test.users[0].metadata.ab: the name "ab" must have 3 or more characters',
  ],
  [
    'behaviour X1: a metadata value that is no text',
    'users: [{ email: a@b.test, metadata: { abc: »7 } }]',
    'environments.test.users[0].metadata.abc: 7 must be a text',
  ],
  [
    'behaviour X1: an empty custom attribute',
    "users: [{ email: a@b.test, user_profile: { custom_attributes: { abc: »'' } } }]",
    'environments.test.users[0].user_profile.custom_attributes.abc: "" must have 1 or more characters',
  ],
  [
    'behaviour A3: an account of a sign-in connection',
    `connections: [{ key_id: sso, type: OIDC }]
connected_accounts: [{ connector: »sso, identifier: a }]`,
    'environments.test.connected_accounts[0].connector: sso is a sign-in connection (OIDC) and holds no accounts',
  ],
  [
    'behaviour A4: two accounts of one pair',
    `connections: [{ key_id: mail }]
connected_accounts:
  - { connector: mail, identifier: a }
  - { connector: MAIL, identifier: »a }`,
    'environments.test.connected_accounts[1].identifier: another account has the identifier "mail/a"',
  ],
  [
    'behaviour A5: credentials that do not fit',
    `connections: [{ key_id: crm, type: API_KEY }]
connected_accounts:
  - { connector: crm, identifier: a, authorization_details: »{ oauth_token: { access_token: t } } }`,
    'environments.test.connected_accounts[0].authorization_details: oauth_token does not fit: the connection crm (API_KEY) takes static_auth and nothing else',
  ],
  [
    "behaviour A5: an authorization type that is not the connection's",
    `connections: [{ key_id: mail, type: BEARER }]
connected_accounts: [{ connector: mail, identifier: a, authorization_type: »OAUTH }]`,
    'environments.test.connected_accounts[0].authorization_type: is BEARER_TOKEN on the connection mail; write that, or leave it out',
  ],
  [
    'behaviour A8: EXPIRED with an end ahead',
    `connections: [{ key_id: mail }]
connected_accounts: [{ connector: mail, identifier: a, status: EXPIRED, token_expires_at: »+1h }]`,
    'environments.test.connected_accounts[0].token_expires_at: EXPIRED needs a token_expires_at that has passed',
  ],
  [
    'behaviour M6: PENDING_INVITE that has ended',
    `organizations: [{ name: acme }]
users: [{ email: a@b.test, memberships: [{ name: acme, membership_status: PENDING_INVITE, expires_at: »-1d }] }]`,
    'environments.test.users[0].memberships[0].expires_at: PENDING_INVITE needs an expires_at that is still ahead',
  ],
  [
    'behaviour M2: two default roles',
    `roles:
  - { name: a, default: true }
  - { name: b, default: »true }`,
    'environments.test.roles[1].default: only one role can be the default; a is it',
  ],
  [
    'behaviour M2: roles that extend each other',
    `roles:
  - { name: a, extends: »b }
  - { name: b, extends: a }`,
    'environments.test.roles[0].extends: the role a extends itself in the end',
  ],
  [
    'behaviour V2: a link of an account that has no page',
    `connections: [{ key_id: sky, type: NO_AUTH }]
connected_accounts: [{ connector: sky, identifier: a }]
authorization_links: [»{ account: sky/a }]`,
    'environments.test.authorization_links[0]: NO_AUTH accounts have no link (sky)',
  ],
  [
    'behaviour P2: two providers of one name in any case',
    `custom_providers:
  - { display_name: Wiki }
  - { display_name: »WIKI }`,
    'environments.test.custom_providers[1].display_name: another custom provider has the display_name "wiki"',
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
])('a fault names file, line, column and path: %s', (_, marked, fault) => {
  const { text, place } = readMark(environment(marked));
  expect(faultsOf(() => load(text))).toContainEqual(expect.stringContaining(`main.yaml:${place}: ${fault}`));
});

test('all faults are told at once, in the order of the file', () => {
  const faults = faultsWith(
    'users:\n  - { email: nobody }\n  - { emial: a@b.test }\norganizations: [{ nme: acme }]',
  );
  expect(faults.map((line) => line.split(':').slice(0, 3).join(':'))).toEqual([
    'main.yaml:4:18',
    'main.yaml:5:11',
    'main.yaml:6:23',
  ]);
});

test('a fault never shows a credential', () => {
  const [fault] = faultsWith('clients: [{ client_id: a, client_secret: [hush-hush] }]');
  expect(fault).toContain('client_secret: must be a text');
  expect(fault).not.toContain('hush');
});

test.each([
  [
    'client',
    'clients: [{ client_id: same, client_secret: s }]',
    '6:28: environments.b.clients[0].client_id: the environment a has the same client_id; each needs its own',
  ],
  [
    'bearer',
    'access_tokens: [same]',
    '6:20: environments.b.access_tokens: the environment a has the same bearer; each needs its own',
  ],
  ['id', 'id: env_1', '6:9: environments.b.id: the environment a has the same id; each needs its own'],
])('behaviour E5: two environments cannot have one %s', (_, line, fault) => {
  const faults = faultsOf(() => load(`environments:\n  a:\n    ${line}\n  b:\n    # second\n    ${line}\n`));
  expect(faults).toEqual([expect.stringContaining(`main.yaml:${fault}`)]);
});

test('files that extend each other in a circle are a fault at the name that closes it', () => {
  const faults = faultsOf(() =>
    loadFiles({
      'main.yaml': 'extends: ./base.yaml\n',
      'base.yaml': 'description: base\nextends: ./main.yaml\nenvironments: { test: {} }\n',
    }),
  );
  expect(faults).toEqual([
    'base.yaml:2:10: extends: the file extends itself: main.yaml -> base.yaml -> main.yaml',
  ]);
});

test('a fault that only the joined files have names the file that wrote the member', () => {
  const base =
    'environments:\n  test:\n    connections: [{ key_id: mail }]\n    connected_accounts: [{ connector: mail, identifier: a, status: EXPIRED }]\n';
  const main =
    'extends: ./base.yaml\nenvironments:\n  test:\n    connected_accounts: [{ connector: mail, identifier: a, token_expires_at: +1d }]\n';
  expect(faultsOf(() => loadFiles({ 'main.yaml': main, 'base.yaml': base }))).toEqual([
    'main.yaml:4:78: environments.test.connected_accounts[0].token_expires_at: EXPIRED needs a token_expires_at that has passed',
  ]);
});
