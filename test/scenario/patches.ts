/** Random patches of an environment: mostly of rows that it has and of names that it knows. */
import fc from 'fast-check';
import type { EnvironmentForm } from '../../src/scenario/sections/index.ts';

type Members = Readonly<Record<string, fc.Arbitrary<unknown>>>;
type Row = fc.Arbitrary<Readonly<Record<string, unknown>>>;

/** Picks a known name, now and then an unknown one. */
const pick = (known: readonly (string | undefined)[], fresh: readonly string[]): fc.Arbitrary<string> => {
  const there = known.filter((name) => name !== undefined);
  return there.length === 0
    ? fc.constantFrom(...fresh)
    : fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...there) }, fc.constantFrom(...fresh));
};

/** What the known rows have as a member. */
const valuesOf = <Row extends object, Name extends keyof Row>(rows: readonly Row[] | undefined, name: Name) =>
  (rows ?? []).map((row) => row[name]);

/** Some of the members, three at most: rows that say more are hardly ever free of contradictions. */
const some = (members: Members): Row =>
  fc
    .subarray(Object.keys(members), { maxLength: Math.min(3, Object.keys(members).length) })
    .chain((names) =>
      fc.record(Object.fromEntries(names.map((name) => [name, members[name] ?? fc.constant(0)]))),
    );

/** A row that is named by one of several keys, to be removed now and then. */
const row = (keys: readonly Members[], members: Members): Row =>
  fc
    .tuple(fc.oneof(...keys.map((key) => fc.record(key))), some(members), fc.integer({ min: 0, max: 9 }))
    .map(([key, said, chance]) => (chance === 0 ? { ...key, remove: true } : { ...said, ...key }));

const time = fc.constantFrom('now', '-2d', '+3d', '2026-01-15T09:30:00Z');
const end = fc.oneof(time, fc.constant('never'));
const credentials = fc.constantFrom(
  {},
  { oauth_token: { access_token: 't' } },
  { static_auth: { details: { api_key: 'k' } } },
  { vendorb_dwd: { subject: 's' } },
);

const sectionsOf = (held: EnvironmentForm): Readonly<Record<string, Row>> => {
  const { users = [], connected_accounts: accounts = [], connections = [], organizations = [] } = held;
  const organization = pick(
    organizations.flatMap(({ name, id }) => [name, id]),
    ['fresh'],
  );
  const email = pick(valuesOf(users, 'email'), ['new@acme.test', 'NEWER@acme.test']);
  const userId = pick(valuesOf(users, 'id'), ['usr_900000000000000009']);
  const user = fc.oneof(email, userId);
  const role = pick(
    (held.roles ?? []).flatMap(({ id, name }) => [id, name]),
    ['fresh'],
  );
  const connection = pick(
    connections.flatMap(({ id, key_id }) => [id, key_id, key_id?.toUpperCase()]),
    ['extra'],
  );
  const identifier = pick(valuesOf(accounts, 'identifier'), ['new@acme.test', 'a/b']);
  const accountId = pick(valuesOf(accounts, 'id'), ['ca_900000000000000009']);
  const account = pick(
    accounts.flatMap(({ id, connector, identifier }) => [id, `${connector}/${identifier}`]),
    ['mail/new@acme.test', 'MAIL/a/b'],
  );
  const membership = row([{ organization_id: organization }], {
    membership_status: fc.constantFrom('ACTIVE', 'INACTIVE', 'PENDING_INVITE', 'INVITE_EXPIRED'),
    roles: fc.array(role, { maxLength: 2 }),
    metadata: fc.constantFrom({}, { team: 'core' }),
    invite: fc.constantFrom(null, {}, { resent_count: 2 }, { status: 'revoked' }),
    expires_at: end,
  });
  return {
    users: row([{ email }, { id: userId }, { id: userId, email }], {
      external_id: fc.constantFrom('ext-ada', 'ext-new'),
      last_login_time: end,
      user_profile: fc.constantFrom(
        null,
        { locale: 'en-GB' },
        { external_identities: [{ connection_id: 'mail' }] },
      ),
      memberships: fc.array(membership, { maxLength: 2 }),
    }),
    connected_accounts: row(
      [
        { connector: connection, identifier },
        { id: accountId },
        { id: accountId, connector: connection, identifier },
      ],
      {
        connection_id: connection,
        organization_id: organization,
        user_id: user,
        status: fc.constantFrom('ACTIVE', 'EXPIRED', 'PENDING_AUTH', 'PENDING_VERIFICATION', 'DISCONNECTED'),
        refresh: fc.constantFrom('grant', 'deny'),
        token_expires_at: end,
        authorization_details: credentials,
        api_config: fc.constantFrom({}, { folder: 'inbox' }),
      },
    ),
    authorization_links: row(
      [{ token: pick(valuesOf(held.authorization_links, 'token'), ['one', 'two']), account }, { account }],
      { expires_at: end, used_at: end, state: fc.constant('s') },
    ),
    verification_requests: row(
      [
        { auth_request_id: pick(valuesOf(held.verification_requests, 'auth_request_id'), ['one', 'two']) },
        { account },
      ],
      { expires_at: end, token_expires_at: end, account },
    ),
    authentication_requests: row(
      [
        {},
        { auth_request_id: pick(valuesOf(held.authentication_requests, 'auth_request_id'), ['one', 'two']) },
      ],
      { connection_id: connection, organization_id: organization, email, timestamp: time },
    ),
    clients: row([{ client_id: pick(valuesOf(held.clients, 'client_id'), ['other']) }], {
      client_secret: fc.constantFrom('one', 'two'),
    }),
    organizations: row([{ name: organization }], { display_name: fc.constantFrom('One', 'Two') }),
    roles: row([{ name: role }], {
      permissions: fc.constantFrom([], ['read']),
      extends: role,
      default: fc.boolean(),
    }),
    custom_providers: row(
      [
        {
          display_name: pick(valuesOf(held.custom_providers, 'display_name'), ['Mail', 'Fresh']),
          proxy_url: fc.constant('https://proxy.test'),
        },
      ],
      { auth_patterns: fc.constant([{ type: 'API_KEY' }]) },
    ),
    connections: row([{ key_id: connection }, { id: connection }], {
      type: fc.constantFrom('OAUTH', 'API_KEY', 'OIDC'),
      enabled: fc.boolean(),
      organization_id: organization,
    }),
  };
};

const LARGE = ['users', 'connected_accounts', 'authorization_links', 'verification_requests'];

/** One to four patches, each with a row or two of a section or two. */
export const patchesOf = (held: EnvironmentForm): fc.Arbitrary<readonly object[]> => {
  const sections = sectionsOf(held);
  const name = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...LARGE) },
    fc.constantFrom(...Object.keys(sections)),
  );
  const patch = fc
    .uniqueArray(name, { minLength: 1, maxLength: 2 })
    .chain((names) =>
      fc.record(
        Object.fromEntries(
          names.map((each) => [
            each,
            fc.array(sections[each] ?? fc.constant({}), { minLength: 1, maxLength: 2 }),
          ]),
        ),
      ),
    );
  return fc.array(patch, { minLength: 1, maxLength: 4 });
};
