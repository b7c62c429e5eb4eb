import { expect, test } from '@jest/globals';
import type { State } from '../../../src/model/domain/state.ts';
import { call, codeOf, refusal, refusedFields, stateOf } from '../../support/core.ts';
import { connectionRow } from '../../support/rows.ts';

const WIKI = 'INTERNAL_WIKI:100000000000000001';

const create = (state: State, display_name: string, more: object = {}) =>
  call(state, 'createCustomProvider', {
    body: { display_name, proxy_url: 'https://proxy.test', auth_patterns: [{ type: 'API_KEY' }], ...more },
  });
const update = (state: State, identifier: string, body: object) =>
  call(state, 'updateCustomProvider', { path: { identifier }, body });
const remove = (state: State, identifier: string) =>
  call(state, 'deleteCustomProvider', { path: { identifier } });

const withWiki = (): State =>
  create(stateOf({}), 'Internal Wiki', { metadata: { team: 'docs', tier: 'one' } }).state;

test('behaviour P1, P2: a new provider has the defaults of the document and the server', () => {
  const { status, body, changes } = create(stateOf({}), 'Internal Wiki');
  expect(status).toBe(201);
  expect(body.provider).toEqual({
    id: expect.stringMatching(/^prv_\d{18}$/),
    identifier: WIKI,
    display_name: 'Internal Wiki',
    proxy_url: 'https://proxy.test',
    auth_patterns: [{ type: 'API_KEY' }],
    proxy_enabled: true,
    metadata: {},
    categories: [],
    coming_soon: false,
    display_priority: 0,
    is_custom: true,
    is_custom_mcp: false,
  });
  expect(changes).toEqual([{ type: 'custom_provider.created', resource: { identifier: WIKI } }]);
});

test('behaviour P1: a wrong proxy_url or icon_src is refused, and an icon_src may be set to an empty text', () => {
  const wrong = { proxy_url: 'https://a.test:99999', icon_src: 'https://xn--' };
  expect(refusedFields(() => create(stateOf({}), 'Wiki', wrong))).toEqual(['proxy_url', 'icon_src']);
  expect(refusedFields(() => update(withWiki(), WIKI, wrong))).toEqual(['proxy_url', 'icon_src']);
  expect(update(withWiki(), WIKI, { icon_src: '' }).body.provider.icon_src).toBe('');
});

test('behaviour P2: response-only fields that a caller sends are ignored', () => {
  const shown = { categories: ['x'], coming_soon: true, display_priority: 9, is_custom: false };
  const sent = { id: 'prv_1', identifier: 'MINE', is_custom_mcp: true, ...shown };
  const created = create(stateOf({}), 'Internal Wiki', sent);
  expect(created.body.provider).toEqual(create(stateOf({}), 'Internal Wiki').body.provider);
  expect(update(created.state, WIKI, sent).body.provider).toEqual(created.body.provider);
});

test('behaviour P2: a display name that another provider has, ignoring case, is a 409, but a provider may change the case of its own', () => {
  const { state } = create(withWiki(), 'Ticket Desk');
  const error = refusal(() => create(state, 'INTERNAL wiki'));
  expect(error).toMatchObject({
    errorCode: 'RESOURCE_ALREADY_EXISTS',
    message: expect.stringContaining(WIKI),
  });
  expect(codeOf(() => update(state, WIKI, { display_name: 'ticket desk' }))).toBe('RESOURCE_ALREADY_EXISTS');
  const display_name = 'INTERNAL WIKI';
  expect(update(state, WIKI, { display_name }).body.provider).toMatchObject({ display_name });
});

test('behaviour P2: the identifier never changes, whatever the display name becomes', () => {
  const { body, state } = update(withWiki(), WIKI, { display_name: 'Handbook' });
  expect(body.provider).toMatchObject({ identifier: WIKI, display_name: 'Handbook' });
  expect(create(state, 'Internal Wiki').body.provider.identifier).toBe('INTERNAL_WIKI_2:100000000000000001');
});

test('behaviour P3: PUT changes only the fields that are sent, and replaces metadata as a whole', () => {
  const texts = { description: 'Ours', icon_src: 'https://a.test/i', proxy_url: 'https://b.test' };
  const sent = { metadata: { area: 'eu' }, proxy_enabled: false, ...texts };
  expect(create(stateOf({}), 'Wiki', sent).body.provider).toMatchObject(sent);
  const { status, body, changes } = update(withWiki(), WIKI, sent);
  expect(status).toBe(200);
  expect(body.provider).toEqual({ ...update(withWiki(), WIKI, {}).body.provider, ...sent });
  expect(changes).toEqual([{ type: 'custom_provider.updated', resource: { identifier: WIKI } }]);
});

test('behaviour P3: PUT without members, or with the same values, changes nothing', () => {
  const state = withWiki();
  const before = update(state, WIKI, {});
  expect(before.body.provider.metadata).toEqual({ team: 'docs', tier: 'one' });
  for (const same of [{}, { metadata: { tier: 'one', team: 'docs' }, display_name: 'Internal Wiki' }]) {
    expect(update(state, WIKI, same)).toEqual(before);
    expect(update(state, WIKI, same).changes).toEqual([]);
  }
});

test('behaviour P2: is_custom_mcp becomes true or false with the patterns that PUT sends', () => {
  const auth_patterns = [{ type: 'BASIC' }, { type: 'OAUTH', is_mcp: true }];
  const { state, body } = update(withWiki(), WIKI, { auth_patterns });
  expect(body.provider.is_custom_mcp).toBe(true);
  expect(update(state, WIKI, { description: 'x' }).body.provider.is_custom_mcp).toBe(true);
  const other = { auth_patterns: [{ type: 'OAUTH', is_mcp: 'true' }] };
  expect(update(state, WIKI, other).body.provider.is_custom_mcp).toBe(false);
});

test('behaviour P3: DELETE answers {}, after which DELETE and PUT are 404 and a new provider can have the name', () => {
  const { status, body, state, changes } = remove(withWiki(), WIKI);
  expect([status, body]).toEqual([200, {}]);
  expect(changes).toEqual([{ type: 'custom_provider.deleted', resource: { identifier: WIKI } }]);
  expect(codeOf(() => remove(state, WIKI))).toBe('NOT_FOUND');
  expect(codeOf(() => update(state, WIKI, {}))).toBe('NOT_FOUND');
  expect(create(state, 'Internal Wiki').body.provider.identifier).toBe(WIKI);
});

test('behaviour P3: DELETE is 400 while a connection uses the provider, and the error names the connection', () => {
  const helpdesk = connectionRow({ key_id: 'helpdesk', type: 'BASIC', provider_key: WIKI });
  const state = stateOf({ connections: [helpdesk] }, withWiki());
  const error = refusal(() => remove(state, WIKI));
  expect(error.errorCode).toBe('PROVIDER_HAS_EXISTING_CONNECTIONS');
  expect(error.message).toContain('helpdesk (conn_helpdesk)');
});

test('behaviour P2: a connection with the same provider_key, but a provider other than CUSTOM, does not use the custom provider', () => {
  const other = connectionRow({ key_id: 'mail', type: 'OAUTH', provider: 'GOOGLE', provider_key: WIKI });
  expect(remove(stateOf({ connections: [other] }, withWiki()), WIKI).status).toBe(200);
});
