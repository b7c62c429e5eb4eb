import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { actOnAccount } from '../../src/simulation/account-actions.ts';
import { approve } from '../../src/simulation/consent.ts';
import {
  ACME,
  ADA,
  API_KEY,
  connectors,
  create,
  details,
  GLOBEX,
  OAUTH,
  statusOf,
} from '../support/accounts.ts';
import { call, HOUR, MINUTE, refusal, START, simulate } from '../support/core.ts';

const NOW = '2026-03-01T12:00:00.000Z';
const AN_HOUR_ON = '2026-03-01T13:00:00.000Z';

const update = (state: typeof connectors, body: object, now = START) =>
  call(state, 'updateConnectedAccount', { body }, { now });

test('a created account has every member that was sent or follows, and none that is absent', () => {
  const { status, account, changes } = create(connectors, 'mail', OAUTH, {
    organization_id: ACME,
    user_id: ADA,
  });
  expect(status).toBe(201);
  expect(account).toEqual({
    id: expect.stringMatching(/^ca_\d{18}$/),
    connection_id: 'conn_mail',
    connector: 'mail',
    identifier: 'ada@acme.test',
    provider: 'MAIL',
    authorization_type: 'OAUTH',
    status: 'ACTIVE',
    updated_at: NOW,
    api_config: {},
    authorization_details: OAUTH,
  });
  expect(changes).toEqual([
    { type: 'connected_account.created', resource: { id: account.id }, to: 'ACTIVE' },
  ]);
});

test('behaviour A10: provider is the provider_key of the connection in upper case', () => {
  expect(create(connectors, 'calendar').account.provider).toBe('DAYS');
});

test('behaviour A3: an unknown connector is 400 and names the nearest one', () => {
  expect(refusal(() => create(connectors, 'maill'))).toMatchObject({
    errorCode: 'INVALID_ARGUMENT',
    message: expect.stringContaining('Did you mean "mail"?'),
    extras: { violations: [{ field: 'connector' }] },
  });
});

test('behaviour A3: a connection of a sign-in type is no connector', () => {
  expect(refusal(() => create(connectors, 'acme-oidc'))).toMatchObject({
    errorCode: 'INVALID_ARGUMENT',
    message: expect.stringContaining('OIDC'),
  });
});

test('behaviour R1: a disabled connection and one that is not COMPLETED refuse an account with 403', () => {
  for (const connector of ['paused', 'drafty']) {
    expect(refusal(() => create(connectors, connector)).errorCode).toBe('CONNECTION_NOT_ENABLED');
  }
});

test('behaviour I2: an unknown organization or user is 404', () => {
  const nobody = 'usr_100000000000000099';
  expect(refusal(() => create(connectors, 'mail', OAUTH, { user_id: nobody })).message).toContain(nobody);
  expect(refusal(() => create(connectors, 'mail', OAUTH, { organization_id: 'org_9' })).errorCode).toBe(
    'NOT_FOUND',
  );
});

test('behaviour A4: a second create of the pair is 409, in whatever case the connector is written', () => {
  const { state, id } = create(connectors, 'mail', OAUTH);
  for (const connector of ['mail', 'MAIL']) {
    expect(refusal(() => create(state, connector, OAUTH, { organization_id: GLOBEX }))).toMatchObject({
      errorCode: 'RESOURCE_ALREADY_EXISTS',
      extras: { resource: { resource_name: `connected_account ${id}` } },
    });
  }
});

test('behaviour A4: identifiers differ by case, and other connectors have pairs of their own', () => {
  const { state } = create(connectors, 'mail');
  const other = create(state, 'mail', undefined, { identifier: 'ADA@acme.test' });
  expect(create(other.state, 'calendar').status).toBe(201);
});

test('behaviour I6: an account keeps the key_id of the connection, however the connector was written', () => {
  expect(create(connectors, 'MaIl').account.connector).toBe('mail');
});

test.each([
  ['mail', 'OAUTH'],
  ['billing', 'OAUTH_M2M'],
  ['boards', 'VENDORA_OAUTH1'],
  ['health', 'SMART_FHIR'],
  ['crm', 'API_KEY'],
  ['helpdesk', 'BASIC'],
  ['events', 'BEARER_TOKEN'],
  ['workspace', 'VENDORB_DWD'],
  ['warehouse', 'TRUSTED_IDP'],
  ['weather', 'NO_AUTH'],
])('behaviour A5: an account of %s has authorization_type %s', (connector, authorization_type) => {
  expect(create(connectors, connector).account.authorization_type).toBe(authorization_type);
});

const SUBJECT = { vendorb_dwd: { subject: 'boss@acme.test' } };
const DB_USER = { trusted_idp: { db_user: 'ada' } };

test.each([
  ['mail', OAUTH, 'ACTIVE'],
  ['mail', { oauth_token: { refresh_token: 'refresh-1' } }, 'PENDING_AUTH'],
  ['mail', undefined, 'PENDING_AUTH'],
  ['billing', OAUTH, 'ACTIVE'],
  ['boards', OAUTH, 'ACTIVE'],
  ['health', OAUTH, 'ACTIVE'],
  ['crm', API_KEY, 'ACTIVE'],
  ['crm', { static_auth: { details: {} } }, 'PENDING_AUTH'],
  ['helpdesk', API_KEY, 'ACTIVE'],
  ['events', undefined, 'PENDING_AUTH'],
  ['workspace', SUBJECT, 'ACTIVE'],
  ['workspace', { vendorb_dwd: {} }, 'PENDING_AUTH'],
  ['warehouse', DB_USER, 'ACTIVE'],
  ['warehouse', undefined, 'PENDING_AUTH'],
  ['lakehouse', undefined, 'ACTIVE'],
  ['weather', undefined, 'ACTIVE'],
])('behaviour A6: %s created with %j is %s', (connector, sent, status) => {
  const { state, account, id } = create(connectors, connector, sent);
  expect(account.status).toBe(status);
  expect(statusOf(state, id)).toBe(status);
});

test('behaviour A6: the server mints the response-only members, which last provider_token_ttl', () => {
  expect(create(connectors, 'workspace', SUBJECT).account).toMatchObject({
    token_expires_at: AN_HOUR_ON,
    authorization_details: {
      vendorb_dwd: {
        subject: 'boss@acme.test',
        access_token: expect.stringMatching(/^[\w-]{43}$/),
        scopes: ['directory'],
        token_expires_at: AN_HOUR_ON,
      },
    },
  });
  const options = { settings: { provider_token_ttl: 5 * MINUTE } };
  expect(create(connectors, 'warehouse', DB_USER, { options }).account.authorization_details).toEqual({
    trusted_idp: {
      db_user: 'ada',
      access_key_id: expect.stringMatching(/^TESTKEY[A-Z0-9]+$/),
      expiry: '2026-03-01T12:05:00.000Z',
    },
  });
  expect(create(connectors, 'lakehouse').account.authorization_details).toEqual({
    trusted_idp: { access_key_id: expect.any(String), expiry: AN_HOUR_ON },
  });
});

test.each([
  ['mail', API_KEY, ['static_auth']],
  ['crm', { ...API_KEY, ...OAUTH }, ['oauth_token']],
  ['warehouse', { ...DB_USER, ...SUBJECT, ...OAUTH }, ['oauth_token', 'vendorb_dwd']],
  ['weather', { ...OAUTH, ...API_KEY }, ['oauth_token', 'static_auth']],
])('behaviour A5: for %s every sub-object of %j that does not fit is a violation, all at once', (connector, sent, unfit) => {
  const { errorCode, extras } = refusal(() => create(connectors, connector, sent));
  expect(errorCode).toBe('INVALID_ARGUMENT');
  expect(extras.violations?.map(({ field }) => field)).toEqual(
    unfit.map((name) => `connected_account.authorization_details.${name}`),
  );
});

test('behaviour A5: an empty sub-object counts as absent, even where it would not fit', () => {
  expect(create(connectors, 'mail', { static_auth: {}, trusted_idp: {}, ...OAUTH }).account.status).toBe(
    'ACTIVE',
  );
});

test('behaviour A5: response-only and unknown members that a caller sends are dropped, and no secret is kept', () => {
  const secrets = {
    secret_access_key: 'CANARY',
    session_token: 'CANARY',
    access_key_id: 'CANARY',
    expiry: NOW,
  };
  const { state, account } = create(connectors, 'warehouse', { trusted_idp: { db_user: 'ada', ...secrets } });
  const dwd = create(state, 'workspace', {
    vendorb_dwd: { subject: 'boss@acme.test', access_token: 'CANARY', scopes: ['CANARY'] } as object,
  });
  expect(
    JSON.stringify([account, dwd.account, [...dwd.state.connected_accounts.rows.values()]]),
  ).not.toContain('CANARY');
});

test('behaviour A7: api_config merges member by member at its top level and leaves the status', () => {
  const { state, id } = create(connectors, 'mail', undefined, {
    connected_account: { api_config: { folder: 'inbox', limits: { a: 1, b: 2 } } },
  });
  const { body, changes } = update(
    state,
    { id, connected_account: { api_config: { limits: { a: 3 }, lang: 'en' } } },
    START + MINUTE,
  );
  expect(body.connected_account).toMatchObject({
    status: 'PENDING_AUTH',
    api_config: { folder: 'inbox', limits: { a: 3 }, lang: 'en' },
    updated_at: '2026-03-01T12:01:00.000Z',
  });
  expect(body.connected_account.api_config).toHaveProperty('limits', { a: 3 });
  expect(changes).toEqual([{ type: 'connected_account.updated', resource: { id } }]);
});

test('behaviour A7: credential members that are sent replace the old, the others stay', () => {
  const { state, id } = create(connectors, 'mail', {
    oauth_token: { ...OAUTH?.oauth_token, domain: 'acme' },
  });
  const sent = { oauth_token: { access_token: 'access-2', scopes: ['mail.send'] } };
  const { body } = update(state, { id, connected_account: { authorization_details: sent } });
  expect(body.connected_account.authorization_details).toEqual({
    oauth_token: {
      access_token: 'access-2',
      refresh_token: 'refresh-1',
      domain: 'acme',
      scopes: ['mail.send'],
    },
  });
});

test.each([
  'disconnect',
  'expire',
  'revoke',
] as const)('behaviour A7: usable credentials make an account ACTIVE after %s, and refreshed again', (action) => {
  const { state, id } = create(connectors, 'mail', OAUTH);
  const moved = simulate(state, actOnAccount, { id, action }).state;
  const body = {
    id,
    connected_account: { authorization_details: { oauth_token: { access_token: 'access-2' } } },
  };
  const { body: answer, state: next } = update(moved, body);
  expect(answer.connected_account.status).toBe('ACTIVE');
  expect(answer.connected_account).not.toHaveProperty('token_expires_at');
  expect(statusOf(next, id, { now: START + 1_000 * HOUR })).toBe('ACTIVE');
});

test('behaviour A7: an update by configuration alone leaves a disconnected account disconnected', () => {
  const { state, id } = create(connectors, 'mail', OAUTH);
  const cut = simulate(state, actOnAccount, { id, action: 'disconnect' }).state;
  const { body } = update(cut, { id, connected_account: { api_config: { folder: 'archive' } } });
  expect(body.connected_account.status).toBe('DISCONNECTED');
  expect(body.connected_account).not.toHaveProperty('authorization_details');
});

test('behaviour A8: a refresh token alone does not connect an account, but revives an expired one', () => {
  const { state, id } = create(connectors, 'mail', { oauth_token: { access_token: 'access-1' } });
  const expired = simulate(state, actOnAccount, { id, action: 'expire' }).state;
  const body = {
    id,
    connected_account: { authorization_details: { oauth_token: { refresh_token: 'refresh-2' } } },
  };
  expect(update(expired, body).body.connected_account.status).toBe('ACTIVE');
  const cut = simulate(state, actOnAccount, { id, action: 'disconnect' }).state;
  expect(update(cut, body).body.connected_account.status).toBe('DISCONNECTED');
});

test('behaviour A7: updated_at moves only on a real change, and nothing is written without one', () => {
  const { state, id } = create(connectors, 'mail', OAUTH);
  for (const connected_account of [undefined, {}, { api_config: {} }, { authorization_details: OAUTH }]) {
    const answer = update(state, { id, ...(connected_account && { connected_account }) }, START + MINUTE);
    expect(answer.body.connected_account.updated_at).toBe(NOW);
    expect(answer.state).toBe(state);
    expect(answer.changes).toEqual([]);
  }
});

test('behaviour V6: usable credentials end the open requests of the account', () => {
  const { state } = create(connectors, 'mail', OAUTH);
  const address = { connector: 'mail', identifier: 'ada@acme.test' };
  const linked = call(state, 'createMagicLink', {
    body: { ...address, user_verify_url: 'https://app.test/cb' },
  });
  const token = linked.body.link.split('/').at(-1) ?? '';
  const { state: consented, reply } = simulate(linked.state, approve, { token });
  const auth_request_id = reply.outcome === 'redirect' ? (reply.auth_request_id ?? '') : '';
  const answer = update(consented, { ...address, connected_account: { authorization_details: OAUTH } });
  expect(answer.changes).toMatchObject([{ from: 'PENDING_VERIFICATION', to: 'ACTIVE' }]);
  const verify = { body: { auth_request_id, identifier: 'ada@acme.test' } };
  expect(refusal(() => call(answer.state, 'verifyConnectedAccountUser', verify)).errorCode).toBe('NOT_FOUND');
});

test('behaviour A7: an update on credentials that do not fit is 400 and changes nothing', () => {
  const { state, id } = create(connectors, 'crm', API_KEY);
  const body = { id, connected_account: { authorization_details: OAUTH } };
  expect(refusal(() => update(state, body)).errorCode).toBe('INVALID_ARGUMENT');
});

test('behaviour A9: a deleted account is gone in every way, and the pair gets a new id', () => {
  const { state, id } = create(connectors, 'mail', OAUTH);
  const linked = call(state, 'createMagicLink', { body: { id, user_verify_url: 'https://app.test/cb' } });
  const token = linked.body.link.split('/').at(-1) ?? '';
  const { state: consented } = simulate(linked.state, approve, { token });
  const { status, body, state: next, changes } = call(consented, 'deleteConnectedAccount', { body: { id } });
  expect({ status, body }).toEqual({ status: 200, body: {} });
  expect(changes).toEqual([
    { type: 'connected_account.deleted', resource: { id }, from: 'PENDING_VERIFICATION' },
  ]);
  expect(refusal(() => details(next, id)).errorCode).toBe('NOT_FOUND');
  expect([next.authorization_links.rows.size, next.verification_requests.rows.size]).toEqual([0, 0]);
  expect(create(next, 'mail').id).not.toBe(id);
});

test('behaviour A4: whatever is created and deleted, a pair has one account at most', () => {
  const connector = fc.constantFrom('mail', 'MAIL', 'crm');
  const identifier = fc.constantFrom('a', 'A', 'b');
  const step = fc.record({ connector, identifier, gone: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let state = connectors;
      const held = new Set<string>();
      for (const { connector, identifier, gone } of steps) {
        const pair = `${connector.toLowerCase()} ${identifier}`;
        const attempt = () =>
          gone
            ? call(state, 'deleteConnectedAccount', { body: { connector, identifier } })
            : create(state, connector, undefined, { identifier });
        if (held.has(pair) === gone) {
          state = attempt().state;
          if (gone) held.delete(pair);
          else held.add(pair);
        } else {
          expect(refusal(attempt).errorCode).toBe(gone ? 'NOT_FOUND' : 'RESOURCE_ALREADY_EXISTS');
        }
      }
      expect(call(state, 'listConnectedAccounts').body.total_size).toBe(held.size);
    }),
  );
});
