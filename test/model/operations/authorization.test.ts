import { expect, test } from '@jest/globals';
import type { InputFor } from '../../../src/contract/types.ts';
import type { State } from '../../../src/model/domain/state.ts';
import {
  ACME,
  ADA,
  connectors,
  consent,
  create,
  details,
  GLOBEX,
  OAUTH,
  statusOf,
  tokenOf,
} from '../../support/accounts.ts';
import { call, codeOf, MINUTE, type Options, refusedFields, START, stateOf } from '../../support/core.ts';
import { accountRow } from '../../support/rows.ts';

const PAIR = { connector: 'mail', identifier: 'ada@acme.test' };
const CALLBACK = 'https://app.test/callback';

const link = (state: State, body: InputFor<'createMagicLink'>['body'], options?: Options) => {
  const answer = call(state, 'createMagicLink', { body }, options);
  return { ...answer, token: tokenOf(answer.body.link) };
};

test('behaviour V1: making a link creates a missing account in PENDING_AUTH, and the link is a page of this server that works for 15 minutes and whose token carries the environment', () => {
  const { body, token, state, changes } = link(connectors, { ...PAIR, organization_id: ACME });
  expect(body).toEqual({
    link: expect.stringMatching(/^http:\/\/mock\.local\/magicLink\/[A-Za-z0-9_-]{54}$/),
    expiry: '2026-03-01T12:15:00.000Z',
  });
  expect([...state.authorization_links.rows.values()][0]?.token).toBe(token.slice(0, 43));
  expect(changes.map(({ type }) => type)).toEqual([
    'connected_account.created',
    'authorization_link.created',
  ]);
  expect(JSON.stringify(changes)).not.toContain(token);
  const listed = call(state, 'listConnectedAccounts', { query: { organization_id: ACME } }).body;
  expect(listed.connected_accounts).toMatchObject([{ ...PAIR, status: 'PENDING_AUTH', provider: 'MAIL' }]);
});

test('behaviour V1, V6: settings say how long links and requests last', () => {
  const options = { settings: { magic_link_ttl: MINUTE, auth_request_ttl: 2 * MINUTE } };
  expect(link(connectors, PAIR, options).body.expiry).toBe('2026-03-01T12:01:00.000Z');
  const { state, id } = consented(connectors, options);
  const at = [2 * MINUTE - 1, 2 * MINUTE].map((ms) => statusOf(state, id, { now: START + ms }));
  expect(at).toEqual(['PENDING_VERIFICATION', 'PENDING_AUTH']);
});

test('behaviour V1: an account may have several open links, and making links does not change an ACTIVE account', () => {
  const { state, id, account } = create(connectors, 'mail', OAUTH);
  const first = link(state, { id });
  const second = link(first.state, PAIR);
  expect(first.token).not.toBe(second.token);
  expect(second.state.authorization_links.rows.size).toBe(2);
  expect(second.state.connected_accounts).toBe(state.connected_accounts);
  expect(details(second.state, id)).toMatchObject({ status: 'ACTIVE', updated_at: account.updated_at });
});

const UNLINKED = ['unknown', 'acme-oidc', 'workspace', 'warehouse', 'weather'];

test.each(UNLINKED)('behaviour A3, V2: a link for the connector %s is a 400', (connector) => {
  expect(refusedFields(() => link(connectors, { ...PAIR, connector }))).toEqual(['connector']);
});

test('behaviour V2: a link for an account of type NO_AUTH, named by its id, is refused', () => {
  const { state, id } = create(connectors, 'weather');
  expect(codeOf(() => link(state, { id }))).toBe('INVALID_ARGUMENT');
});

test('behaviour A2: if a call has an id and a connector, the link is for the account with the id', () => {
  const { state, id } = create(connectors, 'mail', OAUTH);
  for (const connector of ['crm', 'unknown', 'weather']) {
    const { state: next } = link(state, { id, connector, identifier: 'somebody else' });
    expect([...next.authorization_links.rows.values()]).toMatchObject([{ account_id: id }]);
  }
});

test('behaviour A2: a link for an existing pair with another organization or user is a 404', () => {
  const { state } = create(connectors, 'mail', OAUTH, { organization_id: ACME });
  for (const owner of [{ organization_id: GLOBEX }, { user_id: ADA }])
    expect(codeOf(() => link(state, { ...PAIR, ...owner }))).toBe('NOT_FOUND');
});

test.each([
  'paused',
  'drafty',
])('behaviour R1: the connector %s refuses a link with 403, for new and existing accounts', (connector) => {
  const row = accountRow({ id: 'ca_1', connector, identifier: 'old' });
  const state = stateOf({ connected_accounts: [row] }, connectors);
  for (const body of [{ ...PAIR, connector }, { id: 'ca_1' }, { connector, identifier: 'old' }]) {
    expect(codeOf(() => link(state, body))).toBe('CONNECTION_NOT_ENABLED');
  }
});

test('behaviour V4: strict verification refuses a link without user_verify_url, together with all other violations', () => {
  const options: Options = { settings: { user_verification: 'strict' } };
  const fieldsOf = (body: object) => refusedFields(() => link(connectors, body, options));
  expect(fieldsOf(PAIR)).toEqual(['user_verify_url']);
  expect(fieldsOf({ connector: 'unknown' })).toEqual(['identifier', 'user_verify_url', 'connector']);
  expect(fieldsOf({ ...PAIR, user_verify_url: 'https://a.test:99999' })).toEqual(['user_verify_url']); // I5
  expect(link(connectors, { ...PAIR, user_verify_url: CALLBACK }, options).status).toBe(200);
});

/** Makes an account of `PAIR` whose user has consented, with an open request. */
const consented = (state: State = connectors, options?: Options) => {
  const approved = consent(state, { user_verify_url: CALLBACK, ...(options && { options }) });
  const { body } = call(approved.state, 'getConnectedAccountDetails', { query: PAIR });
  return { ...approved, id: body.connected_account.id };
};
const verify = (state: State, auth_request_id: string, identifier = PAIR.identifier, options?: Options) =>
  call(state, 'verifyConnectedAccountUser', { body: { auth_request_id, identifier } }, options);

test('behaviour V6: verifying with the right identifier makes the account ACTIVE with the tokens of the request, and returns the URL of the next page', () => {
  const { state, id, auth_request_id } = consented();
  const later = { now: START + MINUTE };
  const { body, state: next, changes } = verify(state, auth_request_id, PAIR.identifier, later);
  expect(body).toEqual({ post_user_verify_redirect_url: 'http://mock.local/connect/success' });
  const settings = { post_user_verify_redirect_url: 'https://app.test/done' };
  expect(verify(state, auth_request_id, PAIR.identifier, { settings }).body).toEqual(settings);
  const { connected_account } = call(next, 'getConnectedAccountAuth', { query: { id } }).body;
  expect(connected_account).toMatchObject({
    status: 'ACTIVE',
    updated_at: '2026-03-01T12:01:00.000Z',
    token_expires_at: '2026-03-01T13:00:00.000Z',
    authorization_details: { oauth_token: { access_token: expect.any(String), scopes: ['mail.read'] } },
  });
  expect(changes).toEqual([
    { type: 'connected_account.updated', resource: { id }, from: 'PENDING_VERIFICATION', to: 'ACTIVE' },
  ]);
});

test('behaviour V6: verifying replaces the old tokens, and keeps other members of the old credentials', () => {
  const held = { ...OAUTH?.oauth_token, domain: 'acme' };
  const { state, id, auth_request_id } = consented(create(connectors, 'mail', { oauth_token: held }).state);
  const verified = verify(state, auth_request_id).state;
  const { connected_account } = call(verified, 'getConnectedAccountAuth', { query: { id } }).body;
  const { access_token, ...others } = connected_account.authorization_details?.oauth_token ?? {};
  expect(access_token).not.toBe('access-1');
  expect(others).toEqual({
    domain: 'acme',
    refresh_token: expect.not.stringContaining('refresh-1'),
    scopes: ['mail.read'],
  });
});

test('behaviour V6: a wrong identifier is 403, and the request stays open', () => {
  const { state, auth_request_id } = consented();
  for (const identifier of ['grace@acme.test', 'ADA@acme.test', 'ada@acme.test ']) {
    expect(codeOf(() => verify(state, auth_request_id, identifier))).toBe('PERMISSION_DENIED');
  }
  expect(verify(state, auth_request_id).status).toBe(200);
});

test('behaviour V6: used, unknown and expired requests are 404', () => {
  const { state, auth_request_id } = consented();
  const used = verify(state, auth_request_id).state;
  const late = { now: START + 10 * MINUTE };
  expect(codeOf(() => verify(used, auth_request_id))).toBe('NOT_FOUND');
  expect(codeOf(() => verify(state, 'unknown'))).toBe('NOT_FOUND');
  expect(codeOf(() => verify(state, auth_request_id, PAIR.identifier, late))).toBe('NOT_FOUND');
  expect(verify(state, auth_request_id, PAIR.identifier, { now: late.now - 1 }).status).toBe(200);
});

test('behaviour V6: verifying also ends the other open requests of the account', () => {
  const other = consented(create(connectors, 'mail', undefined, { identifier: 'other' }).state);
  const first = consented(other.state);
  const next = verify(first.state, first.auth_request_id).state;
  expect(codeOf(() => verify(next, other.auth_request_id))).toBe('NOT_FOUND');
  expect(next.verification_requests.rows.size).toBe(0);
});

test('behaviour V6: when a request expires, the account returns to its status from before consent', () => {
  for (const sent of [undefined, OAUTH]) {
    const before = create(connectors, 'mail', sent);
    const { state, id } = consented(before.state);
    expect(statusOf(state, id)).toBe('PENDING_VERIFICATION');
    expect(statusOf(state, id, { now: START + 10 * MINUTE })).toBe(before.account.status);
  }
  const later = consented(consented().state, { now: START + 5 * MINUTE });
  expect(statusOf(later.state, later.id, { now: START + 10 * MINUTE })).toBe('PENDING_VERIFICATION');
});
