/** Behaviour A3 to A6: for which connectors and with which credentials an account can be created, once per identifier. */
import { expect, test } from '@jest/globals';
import { allRows, putRow } from '../../../src/core/table.ts';
import { ACME, ADA, API_KEY, connectors, create, GLOBEX, OAUTH, statusOf } from '../../support/accounts.ts';
import { call, codeOf, MINUTE, refusal, refusedFields } from '../../support/core.ts';

const NOW = '2026-03-01T12:00:00.000Z';
const AN_HOUR_ON = '2026-03-01T13:00:00.000Z';

test('a created account shows exactly the members of the document that have a value', () => {
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
  expect(refusal(() => create(connectors, 'acme-oidx')).message).not.toContain('acme-oidc'); // no connector
});

test('behaviour T4: wrong credentials for a connection that is disabled are a 400, before the 403', () => {
  const [row] = [...allRows(connectors.connections)].filter(({ key_id }) => key_id === 'mail');
  if (!row) throw new Error('There is no connection mail.');
  const state = { ...connectors, connections: putRow(connectors.connections, { ...row, enabled: false }) };
  expect(codeOf(() => create(state, 'mail', API_KEY))).toBe('INVALID_ARGUMENT');
  expect(codeOf(() => create(state, 'mail', OAUTH))).toBe('CONNECTION_NOT_ENABLED');
});

test('behaviour I2: an account keeps an unknown organization and user, and can be found by them', () => {
  const owners = { organization_id: 'tenant 7', user_id: 'usr_100000000000000099' };
  const { state, id } = create(connectors, 'mail', OAUTH, owners);
  expect(call(state, 'getConnectedAccountDetails', { query: { id, ...owners } }).status).toBe(200);
  expect(call(state, 'listConnectedAccounts', { query: owners }).body.total_size).toBe(1);
  expect(call(state, 'listConnectedAccounts', { query: { user_id: ADA } }).body.total_size).toBe(0);
});

test('behaviour A4, I6: a second account with the same identifier, and the same connector in any letter case, is a 409', () => {
  const { state, id, account } = create(connectors, 'Mail', OAUTH);
  expect(account.connector).toBe('mail');
  for (const connector of ['mail', 'MAIL']) {
    expect(refusal(() => create(state, connector, OAUTH, { organization_id: GLOBEX }))).toMatchObject({
      errorCode: 'RESOURCE_ALREADY_EXISTS',
      extras: { resource: { resource_name: `connected_account ${id}` } },
    });
  }
});

const SUBJECT = { vendorb_dwd: { subject: 'boss@acme.test' } };
const DB_USER = { trusted_idp: { db_user: 'ada' } };

test.each([
  ['mail', 'OAUTH', OAUTH, 'ACTIVE'],
  ['mail', 'OAUTH', { static_auth: {}, trusted_idp: {}, ...OAUTH }, 'ACTIVE'], // an empty sub-object counts as absent
  ['mail', 'OAUTH', { oauth_token: { refresh_token: 'refresh-1' } }, 'PENDING_AUTH'],
  ['mail', 'OAUTH', undefined, 'PENDING_AUTH'],
  ['billing', 'OAUTH_M2M', OAUTH, 'ACTIVE'],
  ['boards', 'VENDORA_OAUTH1', OAUTH, 'ACTIVE'],
  ['health', 'SMART_FHIR', OAUTH, 'ACTIVE'],
  ['crm', 'API_KEY', API_KEY, 'ACTIVE'],
  ['crm', 'API_KEY', { static_auth: { details: {} } }, 'PENDING_AUTH'],
  ['helpdesk', 'BASIC', API_KEY, 'ACTIVE'],
  ['events', 'BEARER_TOKEN', undefined, 'PENDING_AUTH'],
  ['workspace', 'VENDORB_DWD', SUBJECT, 'ACTIVE'],
  ['workspace', 'VENDORB_DWD', { vendorb_dwd: {} }, 'PENDING_AUTH'],
  ['warehouse', 'TRUSTED_IDP', DB_USER, 'ACTIVE'],
  ['warehouse', 'TRUSTED_IDP', undefined, 'PENDING_AUTH'],
  ['lakehouse', 'TRUSTED_IDP', undefined, 'ACTIVE'],
  ['weather', 'NO_AUTH', undefined, 'ACTIVE'],
])('behaviour A5, A6: an account of %s, of type %s, created with %j is %s', (connector, type, sent, status) => {
  const { state, account, id } = create(connectors, connector, sent);
  expect(account).toMatchObject({ authorization_type: type, status });
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
  expect(refusedFields(() => create(connectors, connector, sent))).toEqual(
    unfit.map((name) => `connected_account.authorization_details.${name}`),
  );
});

test('behaviour A5: response-only and unknown members that a caller sends are dropped, and no secret is kept', () => {
  const secrets = { secret_access_key: 'CANARY', session_token: 'CANARY', access_key_id: 'CANARY' };
  const { state, account } = create(connectors, 'warehouse', { trusted_idp: { db_user: 'ada', ...secrets } });
  const dwd = create(state, 'workspace', {
    vendorb_dwd: { subject: 'boss@acme.test', access_token: 'CANARY', scopes: ['CANARY'] } as object,
  });
  const kept = [...dwd.state.connected_accounts.rows.values()];
  expect(JSON.stringify([account, dwd.account, kept])).not.toContain('CANARY');
});
