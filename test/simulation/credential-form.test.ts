import { expect, test } from '@jest/globals';
import { credentialFields } from '../../src/domain/credentials.ts';
import type { State } from '../../src/domain/state.ts';
import { approve, submitCredentials } from '../../src/simulation/link-decision.ts';
import { connectors } from '../support/accounts.ts';
import { call, simulate, stateOf } from '../support/core.ts';
import { connectionRow } from '../support/rows.ts';

const link = (connector: string, body: object = {}, state: State = connectors) => {
  const answer = call(state, 'createMagicLink', {
    body: { connector, identifier: 'ada@acme.test', ...body },
  });
  return { state: answer.state, token: answer.body.link.split('/').at(-1) ?? '' };
};
const authOf = (state: State, connector: string) =>
  call(state, 'getConnectedAccountAuth', { query: { connector, identifier: 'ada@acme.test' } }).body
    .connected_account;

test.each([
  ['crm', { api_key: 'key-1' }],
  ['helpdesk', { username: 'ada', password: 'pass-1' }],
  ['events', { token: 'token-1' }],
])('behaviour V2: the form of %s makes the account ACTIVE with %j, and no verification follows', (connector, fields) => {
  const { state, token } = link(connector, { user_verify_url: 'https://app.test/cb?a=1', state: 's' });
  const given = { token, fields: new Map(Object.entries({ ...fields, ignored: 'x' })) };
  const { reply, state: next, changes } = simulate(state, submitCredentials, given);
  expect(reply).toEqual({ outcome: 'redirect', redirect_url: 'https://app.test/cb?a=1&state=s' });
  const account = authOf(next, connector);
  expect(account).toMatchObject({
    status: 'ACTIVE',
    authorization_details: { static_auth: { details: fields } },
  });
  expect(account.authorization_details?.static_auth?.details).toEqual(fields);
  expect(account).not.toHaveProperty('token_expires_at');
  expect(changes.at(-1)).toMatchObject({ from: 'PENDING_AUTH', to: 'ACTIVE' });
});

test('behaviour V2: without user_verify_url the form leads to the success page', () => {
  const { state, token } = link('crm');
  const { reply } = simulate(state, submitCredentials, { token, fields: new Map([['api_key', 'key-1']]) });
  expect(reply).toEqual({ outcome: 'redirect', redirect_url: 'http://mock.local/connect/success' });
});

test('a form without a required field stores nothing, and the link stays open', () => {
  const { state, token } = link('helpdesk');
  const { reply, state: same } = simulate(state, submitCredentials, {
    token,
    fields: new Map(Object.entries({ username: 'ada', password: '' })),
  });
  expect(reply).toMatchObject({ outcome: 'incomplete', missing: [{ name: 'password', secret: true }] });
  expect(same).toBe(state);
});

test('a link with a consent page does not accept a form', () => {
  const { state, token } = link('mail');
  const { reply, state: same } = simulate(state, submitCredentials, {
    token,
    fields: new Map([['api_key', 'key-1']]),
  });
  expect(reply).toEqual({ outcome: 'formless' });
  expect(same).toBe(state);
});

test('behaviour V5: approving a form without filling it in stores fixed test credentials', () => {
  const { state, token } = link('helpdesk');
  const { reply, state: next } = simulate(state, approve, { token });
  expect(reply).toMatchObject({ outcome: 'redirect', redirect_url: 'http://mock.local/connect/success' });
  expect(authOf(next, 'helpdesk')).toMatchObject({
    status: 'ACTIVE',
    authorization_details: {
      static_auth: { details: { username: 'test-username', password: 'test-password' } },
    },
  });
});

const withPattern = (fields: unknown) =>
  stateOf(
    {
      custom_providers: [
        {
          id: 'prv_1',
          identifier: 'WIKI:1',
          display_name: 'Wiki',
          auth_patterns: [{ type: 'OAUTH' }, { type: 'API_KEY', fields }],
        },
      ],
      connections: [connectionRow({ key_id: 'wiki', type: 'API_KEY', provider_key: 'WIKI:1' })],
    },
    connectors,
  );

test('behaviour V2: a custom provider defines the fields of its form', () => {
  const state = withPattern([
    { name: 'site', label: 'Site' },
    { field_name: 'secret', input_type: 'password' },
    { name: 'note', required: false },
    { label: 'no name' },
    'nonsense',
  ]);
  expect(
    credentialFields(state, connectionRow({ key_id: 'wiki', type: 'API_KEY', provider_key: 'WIKI:1' })),
  ).toEqual([
    { name: 'site', label: 'Site', secret: false, required: true },
    { name: 'secret', label: 'secret', secret: true, required: true },
    { name: 'note', label: 'note', secret: false, required: false },
  ]);
  const linked = link('wiki', {}, state);
  const given = { token: linked.token, fields: new Map(Object.entries({ site: 'acme', secret: 's' })) };
  const { state: next } = simulate(linked.state, submitCredentials, given);
  expect(authOf(next, 'wiki').authorization_details).toEqual({
    static_auth: { details: { site: 'acme', secret: 's' } },
  });
});

test.each([
  undefined,
  [],
  'nonsense',
  [{}],
])('a pattern whose fields are %j gets the fields of its type', (fields) => {
  const connection = connectionRow({ key_id: 'wiki', type: 'API_KEY', provider_key: 'WIKI:1' });
  expect(credentialFields(withPattern(fields), connection)).toMatchObject([{ name: 'api_key' }]);
});
