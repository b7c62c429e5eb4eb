/** Behaviour A3 to A6: creating accounts; of which connector, with which credentials, once for a pair. */
import { expect, test } from '@jest/globals';
import { ACME, ADA, API_KEY, connectors, create, GLOBEX, OAUTH, statusOf } from '../support/accounts.ts';
import { call, MINUTE, refusal } from '../support/core.ts';

const NOW = '2026-03-01T12:00:00.000Z';
const AN_HOUR_ON = '2026-03-01T13:00:00.000Z';

test('a created account has every member that was sent or derived, and no absent members', () => {
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

test('behaviour A3: an unknown connector is 400, and the error suggests the most similar connector', () => {
  expect(refusal(() => create(connectors, 'maill'))).toMatchObject({
    errorCode: 'INVALID_ARGUMENT',
    message: expect.stringContaining('Did you mean "mail"?'),
    extras: { violations: [{ field: 'connector' }] },
  });
});

test('behaviour R1: a disabled or unfinished connection refuses an account with 403', () => {
  for (const connector of ['paused', 'drafty']) {
    expect(refusal(() => create(connectors, connector)).errorCode).toBe('CONNECTION_NOT_ENABLED');
  }
});

test('behaviour I2: an account keeps an unknown organization and user, and can be found by them', () => {
  const owners = { organization_id: 'tenant 7', user_id: 'usr_100000000000000099' };
  const { state, id } = create(connectors, 'mail', OAUTH, owners);
  expect(call(state, 'getConnectedAccountDetails', { query: { id, ...owners } }).status).toBe(200);
  expect(call(state, 'listConnectedAccounts', { query: owners }).body.total_size).toBe(1);
  expect(call(state, 'listConnectedAccounts', { query: { user_id: ADA } }).body.total_size).toBe(0);
});

test('behaviour A4: a second account with the same connector, ignoring case, and identifier is 409', () => {
  const { state, id } = create(connectors, 'mail', OAUTH);
  for (const connector of ['mail', 'MAIL']) {
    expect(refusal(() => create(state, connector, OAUTH, { organization_id: GLOBEX }))).toMatchObject({
      errorCode: 'RESOURCE_ALREADY_EXISTS',
      extras: { resource: { resource_name: `connected_account ${id}` } },
    });
  }
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

test('behaviour A6: the server mints the response-only members, which are valid for provider_token_ttl', () => {
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
])('behaviour A5: for %s one error names every sub-object of %j that does not fit', (connector, sent, unfit) => {
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
