import { expect, test } from '@jest/globals';
import type { State } from '../../../src/model/domain/state.ts';
import { approve, deny, submitCredentials, viewLink } from '../../../src/model/simulation/links.ts';
import { connectors, create, details, OAUTH, statusOf, tokenOf } from '../../support/accounts.ts';
import { call, HOUR, MINUTE, type Options, START, simulate, stateOf } from '../../support/core.ts';
import { connectionRow } from '../../support/rows.ts';

const CALLBACK = 'https://app.test/callback';

const link = (state: State, body: { readonly user_verify_url?: string; readonly state?: string } = {}) => {
  const answer = call(state, 'createMagicLink', {
    body: { connector: 'mail', identifier: 'ada@acme.test', ...body },
  });
  const [row] = answer.state.connected_accounts.rows.values();
  return { state: answer.state, token: tokenOf(answer.body.link), id: row?.id ?? '' };
};
const redirectOf = (reply: { readonly outcome: string; readonly redirect_url?: string }) =>
  new URL(reply.redirect_url ?? '');

test('behaviour V2: the page of a link shows what is known of its account, and no more', () => {
  const { state, token } = link(connectors);
  expect(simulate(state, viewLink, { token }).reply).toEqual({
    linkState: 'open',
    kind: 'consent',
    connector: 'mail',
    identifier: 'ada@acme.test',
    scopes: ['mail.read'],
    expires_at: '2026-03-01T12:15:00.000Z',
  });
});

test('behaviour V2: a submitted form replaces the credentials of the account as a whole', () => {
  const before = create(connectors, 'crm', { static_auth: { details: { api_key: 'key-1', region: 'eu' } } });
  const { body, state } = call(before.state, 'createMagicLink', { body: { id: before.id } });
  const given = { token: tokenOf(body.link), fields: new Map([['api_key', 'key-2']]) };
  const { state: next } = simulate(state, submitCredentials, given);
  const auth = call(next, 'getConnectedAccountAuth', { query: { id: before.id } }).body.connected_account;
  expect(auth.authorization_details).toEqual({ static_auth: { details: { api_key: 'key-2' } } });
});

test('behaviour V2: consent without a user_verify_url gives new tokens, and keeps what else was with the old', () => {
  const { oauth_token } = OAUTH ?? {};
  const before = create(connectors, 'mail', { oauth_token: { ...oauth_token, domain: 'acme.test' } });
  const { state, token } = link(before.state);
  const { state: next } = simulate(state, approve, { token });
  const auth = call(next, 'getConnectedAccountAuth', { query: { id: before.id } }).body.connected_account;
  expect(auth.authorization_details?.oauth_token).toMatchObject({
    domain: 'acme.test',
    access_token: expect.not.stringContaining('access-1'),
  });
});

test.each([
  ['https://app.test/cb?next=%2Fhome&flag&q=a%20b', '?next=%2Fhome&flag&q=a%20b&auth_request_id='],
  ['https://app.test/cb#part', '?auth_request_id='],
  ['https://app.test/cb?', '?auth_request_id='],
])('behaviour V3: the redirect keeps the query and the fragment of %s', (user_verify_url, start) => {
  const { state, token } = link(connectors, { user_verify_url });
  const { href, hash } = redirectOf(simulate(state, approve, { token }).reply);
  expect(href.startsWith(`https://app.test/cb${start}`)).toBe(true);
  expect(hash).toBe(new URL(user_verify_url).hash);
});

test("behaviour V3: the mock's own values take the place of those that the URL already has", () => {
  const old = 'state=old&a=1&st%61te=older&auth_request_id=old&error=old&error_description=old&states=kept';
  const { state, token } = link(connectors, { user_verify_url: `${CALLBACK}?${old}`, state: 's' });
  const approved = redirectOf(simulate(state, approve, { token }).reply).search;
  expect(approved).toMatch(/^\?a=1&states=kept&auth_request_id=[\w-]{43,}&state=s$/);
  const denied = redirectOf(simulate(state, deny, { token }).reply).search;
  expect(denied).toMatch(/^\?a=1&states=kept&error=access_denied&error_description=[\w+.]+&state=s$/);
  const stateless = link(connectors, { user_verify_url: `${CALLBACK}?state=own` });
  const { search } = redirectOf(simulate(stateless.state, approve, { token: stateless.token }).reply);
  expect(search).toMatch(/^\?state=own&auth_request_id=/);
});

test('behaviour V3: a user can grant fewer scopes than the page asks for, but no others', () => {
  const mail = connectionRow({ key_id: 'mail', type: 'OAUTH', scopes: ['read', 'send'] });
  const asking = stateOf({ connections: [mail] }, connectors);
  const { state, token, id } = link(asking);
  const granted = simulate(state, approve, { token, scopes: ['send', 'send'] }).state;
  const { body } = call(granted, 'getConnectedAccountAuth', { query: { id } });
  expect(body.connected_account.authorization_details?.oauth_token?.scopes).toEqual(['send']);
  expect(() => simulate(state, approve, { token, scopes: ['send', 'delete'] })).toThrow(
    '"delete" cannot be granted: the page of mail does not ask for it. The scopes are read, send.',
  );
});

test('behaviour V3: a provider can answer with any error of RFC 6749, and an unknown one is refused', () => {
  const { state, token } = link(connectors, { user_verify_url: CALLBACK });
  const { reply } = simulate(state, deny, { token, error: 'server_error', error_description: 'Down' });
  expect(Object.fromEntries(redirectOf(reply).searchParams)).toEqual({
    error: 'server_error',
    error_description: 'Down',
  });
  const usual = redirectOf(simulate(state, deny, { token, error: 'invalid_scope' }).reply).searchParams;
  expect(usual.get('error_description')).toBe('A requested scope is invalid or unknown.');
  const told = redirectOf(simulate(state, deny, { token, error_description: 'Not now' }).reply).searchParams;
  expect([told.get('error'), told.get('error_description')]).toEqual(['access_denied', 'Not now']);
  expect(() => simulate(state, deny, { token, error: 'server_eror' })).toThrow(
    'Did you mean "server_error"?',
  );
});

test('behaviour V3: while a verification request is open, the account reads PENDING_VERIFICATION with its old credentials, and no call returns the new credentials', () => {
  const { state: before } = create(connectors, 'mail', OAUTH);
  const { state, token, id } = link(before, { user_verify_url: CALLBACK, state: 's' });
  const { state: next, changes } = simulate(state, approve, { token });
  expect(statusOf(next, id)).toBe('PENDING_VERIFICATION');
  const { body: list } = call(next, 'listConnectedAccounts');
  expect(list.connected_accounts[0]?.status).toBe('PENDING_VERIFICATION');
  const { body: auth } = call(next, 'getConnectedAccountAuth', { query: { id } });
  expect(auth.connected_account).toMatchObject({
    status: 'PENDING_VERIFICATION',
    authorization_details: OAUTH,
  });
  const [request] = next.verification_requests.rows.values();
  const text = expect.stringMatching(/^[\w-]{43}$/);
  expect(request).toEqual({
    auth_request_id: text,
    account_id: id,
    state: 's',
    expires_at: START + 10 * MINUTE,
    authorization_details: {
      oauth_token: { access_token: text, refresh_token: text, scopes: ['mail.read'] },
    },
    token_expires_at: START + HOUR,
  });
  const pending = request?.authorization_details.oauth_token?.access_token ?? 'missing';
  expect(JSON.stringify([auth, list, details(next, id), changes])).not.toContain(pending);
  expect(changes).toMatchObject([
    { type: 'authorization_link.approved' },
    { type: 'verification_request.created' },
    { type: 'connected_account.updated', from: 'ACTIVE', to: 'PENDING_VERIFICATION' },
  ]);
  const other = link(next, { user_verify_url: CALLBACK });
  const again = simulate(other.state, approve, { token: other.token }).changes;
  expect(again.map(({ type }) => type)).toEqual([
    'authorization_link.approved',
    'verification_request.created',
  ]);
});

test('behaviour V3: a user who denies is sent back with an error and the state of the link, and the account does not change', () => {
  const { state: before } = create(connectors, 'mail', OAUTH);
  const { state, token, id } = link(before, { user_verify_url: `${CALLBACK}?a=1`, state: 's' });
  const { reply, state: next } = simulate(state, deny, { token });
  expect(Object.fromEntries(redirectOf(reply).searchParams)).toEqual({
    a: '1',
    error: 'access_denied',
    error_description: 'The user denied the authorization.',
    state: 's',
  });
  expect(details(next, id)).toEqual(details(before, id));
});

test('behaviour V1: a link works only once, for approval or denial', () => {
  const { state, token } = link(connectors);
  for (const decide of [approve, deny]) {
    const { state: used } = simulate(state, decide, { token });
    for (const again of [approve, deny]) {
      const { reply, state: same } = simulate(used, again, { token });
      expect(reply).toEqual({ outcome: 'refused', linkState: 'used' });
      expect(same).toBe(used);
    }
  }
});

test('behaviour V2: an expired link is refused as expired; an unknown link and a link of a deleted account are refused as unknown', () => {
  const { state, token, id } = link(connectors);
  const end = START + 15 * MINUTE;
  const replyTo = (from: State, sealed: string, options?: Options) =>
    simulate(from, approve, { token: sealed }, options).reply;
  expect(replyTo(state, token, { now: end })).toEqual({ outcome: 'refused', linkState: 'expired' });
  expect(replyTo(state, token, { now: end - 1 })).toMatchObject({ outcome: 'redirect' });
  expect(replyTo(state, 'unknown')).toEqual({ outcome: 'refused', linkState: 'unknown' });
  const { state: gone } = call(state, 'deleteConnectedAccount', { body: { id } });
  expect(replyTo(gone, token)).toEqual({ outcome: 'refused', linkState: 'unknown' });
});
