/** The calls that only the console makes: what they answer, and what they change. */
import { expect, test } from '@jest/globals';
import { type Isolated, testServer } from '../support/server.ts';

const server = testServer();
const CLOCK = '2026-03-01T12:00:00Z';
const ADA = 'usr_100000000000000001';
const MAIL = 'ca_100000000000000001';
const GRACE = 'org_100000000000000001%2Fusr_100000000000000002';

interface Shown {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly form: Readonly<Record<string, unknown>>;
  readonly actions: readonly { readonly name: string }[];
  readonly link?: string;
}

const list = async ({ control }: Isolated, path: string): Promise<readonly Shown[]> =>
  (await control('GET', `/rows/${path}`)).body.rows;
const titles = (rows: readonly Shown[]) => rows.map(({ title }) => title);
const actionsOf = (row: Shown | undefined) => row?.actions.map(({ name }) => name);

test('each kind has as many rows as it says, and a name for each', async () => {
  const own = await server.isolated();
  const { kinds } = (await own.control('GET', '/kinds')).body;
  const counts: [string, number][] = [];
  for (const { kind, count } of kinds) {
    const { rows, total } = (await own.control('GET', `/rows/${kind}`)).body;
    counts.push([kind, total]);
    expect([kind, count, titles(rows).every(Boolean)]).toEqual([kind, total, true]);
  }
  expect(Object.fromEntries(counts)).toMatchObject({
    ...{ users: 6, memberships: 6, organizations: 2, roles: 2, connected_accounts: 12, connections: 17 },
    ...{ custom_providers: 2, authentication_requests: 25, verification_requests: 1, emails: 0 },
  });
});

test('pages hold 50 rows; no row is on two of them', async () => {
  const own = await server.isolated({ scenario: 'directory' });
  const pages = await Promise.all([1, 2, 40].map((page) => list(own, `users?page=${page}`)));
  expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(150);
  expect(await list(own, 'users?page=41')).toEqual([]);
});

test.each([
  ['connected_accounts', 'EXPIRED', ['ada@acme.test']],
  ['connected_accounts', 'ca_100000000000000006', ['ada@acme.test']],
  ['connected_accounts', 'LiNuS', ['linus@acme.test']],
  ['connected_accounts', 'mail%20pending_verification', ['grace@acme.test']],
  ['users', 'globex%20inactive', ['margaret@globex.test']],
  ['users', 'barbara', ['barbara@free.test']],
  ['users', 'ada', ['ada@acme.test']], // and not all whose rows have the member metadata
  ['users', 'metadata', []],
  ['connections', 'draft', ['drafty']],
  ['custom_providers', 'wiki', ['Internal Wiki']],
])('a search in %s finds %s by values alone', async (kind, query, found) => {
  expect(titles(await list(await server.isolated(), `${kind}?query=${query}`))).toEqual(found);
});

test('one search finds four rows of each kind at most', async () => {
  const { control } = await server.isolated();
  const { rows } = (await control('GET', '/rows/any?query=globex')).body;
  const kinds = rows.map(({ kind }: { kind: string }) => kind);
  expect(new Set(kinds)).toEqual(
    new Set(['users', 'organizations', 'authentication_requests', 'connected_accounts', 'connections']),
  );
  expect(kinds.filter((kind: string) => kind === 'authentication_requests')).toHaveLength(4);
});

test('a row says what belongs to it: of a user the memberships, accounts, e-mails and sign-ins', async () => {
  const own = await server.isolated();
  await own.control('POST', `/rows/memberships/${GRACE}/resend`);
  expect((await list(own, 'emails')).map(({ id }) => id)).toEqual(['1']);
  expect((await own.control('GET', '/rows/emails/1')).body.row.form.to).toBe('grace@acme.test');
  const partsOf = async (path: string) => {
    const { parts } = (await own.control('GET', `/rows/${path}`)).body;
    return Object.fromEntries(
      parts.map(({ kind, rows }: { kind: string; rows: Shown[] }) => [kind, titles(rows)]),
    );
  };
  expect(await partsOf('users/usr_100000000000000002')).toEqual({
    memberships: ['grace@acme.test'],
    connected_accounts: ['grace@acme.test'],
    emails: ['Reminder: you are invited to join Acme Corporation'],
    authentication_requests: expect.any(Array),
  });
  const members = (await partsOf('organizations/org_100000000000000001')).memberships;
  expect(members).toHaveLength(5);
  expect((await own.control('GET', '/rows/users/usr_9')).status).toBe(404);
});

test('what a user, a provider or an application does to a row is one of the actions that it has', async () => {
  const own = await server.isolated({ clock: CLOCK });
  const rowOf = async (path: string): Promise<Shown> => (await own.control('GET', `/rows/${path}`)).body.row;
  const act = async (path: string, action: string, member = 'status') => {
    expect(actionsOf(await rowOf(path))).toContain(action);
    expect((await own.control('POST', `/rows/${path}/${action}`)).status).toBe(200);
    return (await rowOf(path)).form[member];
  };
  const account = `connected_accounts/${MAIL}`;
  expect(await act(account, 'expire')).toBe('EXPIRED');
  expect(await act(account, 'approve')).toBe('ACTIVE');
  expect(await act(account, 'disconnect')).toBe('DISCONNECTED');
  expect(await act(account, 'pend')).toBe('PENDING_AUTH');
  expect(await act(`memberships/${GRACE}`, 'expire', 'membership_status')).toBe('INVITE_EXPIRED');
  expect(await act(`memberships/${GRACE}`, 'resend', 'membership_status')).toBe('PENDING_INVITE');
  expect(await act(`memberships/${GRACE}`, 'accept', 'membership_status')).toBe('ACTIVE');
  expect(await act('connections/conn_100000000000000001', 'disable', 'enabled')).toBe(false);
  expect(actionsOf(await rowOf('connections/conn_100000000000000001'))).not.toContain('disable');
  const wrong = await own.control('POST', `/rows/${account}/exspire`);
  expect([wrong.status, wrong.body.error.hint]).toEqual([404, expect.stringContaining('expire')]);
});

test('behaviour V4: where users must be verified, a link has a page to return to, and the open request is verified', async () => {
  const own = await server.isolated({ settings: { user_verification: 'strict' } });
  const path = '/rows/connected_accounts/ca_100000000000000003';
  const status = async () => (await own.control('GET', path)).body.row.form.status;
  const { link } = (await own.control('POST', `${path}/open`)).body;
  expect(link).toMatch(/\/magicLink\/[\w-]{54}$/);
  await own.control('POST', `${path}/approve`);
  expect(await status()).toBe('PENDING_VERIFICATION');
  const [request] = await list(own, 'verification_requests?query=chat');
  expect([request?.form.status, actionsOf(request)]).toEqual(['OPEN', ['verify']]);
  expect((await own.control('POST', `/rows/verification_requests/${request?.id}/verify`)).status).toBe(200);
  expect(await status()).toBe('ACTIVE');
  expect((await own.control('POST', `${path}/verify`)).status).toBe(404);
});

test('behaviour V2: a link is used once the user has decided, and ended from its very end', async () => {
  const own = await server.isolated({ clock: CLOCK });
  for (const account of ['mail/ada@acme.test', 'calendar/ada@acme.test'])
    await own.control('POST', '/rows/authorization_links', { fields: { account } });
  const links = () => list(own, 'authorization_links');
  const [first] = await links();
  expect([first?.title, actionsOf(first)]).toEqual(['mail/ada@acme.test', ['open', 'approve', 'deny']]);
  await own.control('POST', `/rows/authorization_links/${first?.id}/deny`);
  const statuses = async () => (await links()).map(({ form }) => form.status);
  await own.control('POST', '/clock/advance', { by: '14m59s999ms' });
  expect(await statuses()).toEqual(['USED', 'OPEN']);
  await own.control('POST', '/clock/advance', { by: '1ms' });
  expect(await statuses()).toEqual(['USED', 'EXPIRED']);
});

test('a user with two memberships is made from four fields; all else is YAML, and the form shows what was written', async () => {
  const own = await server.isolated();
  const fields = {
    email: 'new@acme.test',
    organizations: 'acme, globex',
    roles: 'admin, member',
    external_id: 'x-1',
  };
  const made = await own.control('POST', '/rows/users', { fields, text: 'metadata: { team: core }' });
  expect(made.status).toBe(201);
  const { row, edit } = (await own.control('GET', `/rows/users/${made.body.id}`)).body;
  expect(row.inner.map(({ about }: Shown) => about)).toEqual([
    'acme · admin, member',
    'globex · admin, member',
  ]);
  expect(edit.fields).toEqual({ email: 'new@acme.test', external_id: 'x-1' });
  expect(edit.text).toContain('metadata:\n  team: core\n');
});

test.each([
  ['users', {}, ['email']],
  ['connected_accounts', {}, ['connector', 'identifier']],
  ['memberships', {}, ['user_id', 'organization_id']],
  ['organizations', {}, ['name']],
  ['roles', {}, ['name']],
  ['connections', {}, ['key_id']],
  ['custom_providers', {}, ['display_name', 'proxy_url']],
  ['authorization_links', {}, ['account']],
  ['authentication_requests', {}, ['email', 'outcome']],
  ['stubs', {}, ['method', 'path']],
  ['stubs', { method: 'GET', path: '/x', text: 'a: [' }, ['text']],
])('an unfinished row of %s is refused with all its fields', async (kind, {
  text,
  ...fields
}: Record<string, string>, wrong) => {
  const { control } = await server.isolated();
  const { status, body } = await control('POST', `/rows/${kind}`, { fields, text: text ?? '' });
  expect([status, body.error.violations.map(({ field }: { field: string }) => field)]).toEqual([400, wrong]);
});

test('behaviour N4: a new row replaces none', async () => {
  const { control } = await server.isolated();
  const again = await control('POST', '/rows/users', { fields: { email: 'ada@acme.test' } });
  expect([again.status, again.body.error.message]).toEqual([409, expect.stringContaining(ADA)]);
});

test('a saved row is what the form says: members go with their lines, and what identifies the row stays', async () => {
  const own = await server.isolated();
  const { edit: form } = (await own.control('GET', `/rows/users/${ADA}`)).body;
  const save = (fields: object, text: string) => own.control('PUT', `/rows/users/${ADA}`, { fields, text });
  expect((await save({ email: 'countess@acme.test' }, form.text)).body).toEqual({ id: ADA });
  const { row } = (await own.control('GET', `/rows/users/${ADA}`)).body;
  expect([row.title, row.form.external_id, row.inner.length]).toEqual(['countess@acme.test', undefined, 1]);
  const other = await save(
    { email: 'countess@acme.test' },
    form.text.replaceAll(ADA, 'usr_100000000000000077'),
  );
  expect(other.body.error.message).toContain(`id identifies this user, so it stays "${ADA}".`);
  expect(await list(own, 'users')).toHaveLength(6);
});

test('a membership keeps its organization, and a stub with another path stays one stub', async () => {
  const own = await server.isolated();
  const text = 'organization_id: globex\nroles: [member]';
  const moved = await own.control('PUT', `/rows/memberships/${GRACE}`, { fields: {}, text });
  expect(moved.body.error.message).toContain('organization_id identifies this membership');
  expect(await list(own, 'memberships')).toHaveLength(6);
  const fields = { method: 'GET', path: '/a' };
  const { id } = (await own.control('POST', '/rows/stubs', { fields })).body;
  const renamed = { fields: { ...fields, path: '/b', status: '202' }, text: 'body: { a: 1 }' };
  expect((await own.control('PUT', `/rows/stubs/${encodeURIComponent(id)}`, renamed)).body.id).toBe('GET /b');
  const stubs = await list(own, 'stubs');
  expect(stubs.map(({ id: name, form }) => [name, form.status, form.body])).toEqual([
    ['GET /b', 202, { a: 1 }],
  ]);
});

test('a deleted row is gone; while others name a row, it stays, and the refusal names them', async () => {
  const own = await server.isolated();
  expect((await own.control('DELETE', `/rows/memberships/${GRACE}`)).status).toBe(200);
  expect(await list(own, 'memberships')).toHaveLength(5);
  const refused = await own.control('DELETE', '/rows/connections/conn_100000000000000001');
  expect([refused.status, refused.body.error.message]).toEqual([
    400,
    expect.stringContaining('mail/ada@acme.test'),
  ]);
});

test('ends are counted in all rows, back to the start; ends that a refresh prevents are counted apart', async () => {
  const connected_accounts = [
    {
      connector: 'mail',
      identifier: 'many{n}',
      repeat: 300,
      status: 'ACTIVE',
      token_expires_at: '+2d',
      refresh: 'deny',
    },
    { connector: 'mail', identifier: 'fresh', status: 'ACTIVE', token_expires_at: '+3d', refresh: 'grant' },
    { connector: 'mail', identifier: 'cut', status: 'DISCONNECTED', token_expires_at: '+4d' },
  ];
  const rows = { connections: [{ key_id: 'mail', type: 'OAUTH' }], connected_accounts };
  const own = await server.isolated({ clock: CLOCK, scenario: { environments: { own: rows } } });
  const read = async () => (await own.control('GET', '/ends')).body;
  const [many, fresh] = [
    { at: '2026-03-03T12:00:00.000Z', counts: { token: 300 }, refreshed: 0 },
    { at: '2026-03-04T12:00:00.000Z', counts: {}, refreshed: 1, of: 'fresh' },
  ];
  expect(await read()).toMatchObject({ ended: [], coming: [many, fresh], total_ended: 0 });
  await own.control('PUT', '/clock', { mode: 'frozen', now: '2026-03-05T12:00:00Z' });
  expect(await read()).toMatchObject({
    home: { mode: 'frozen', now: '2026-03-01T12:00:00.000Z' },
    ...{ ended: [many, fresh], coming: [], total_ended: 300 },
  });
});

test('Undo brings back what Clear took: the journal, the outbox and faults', async () => {
  const own = await server.isolated();
  await own.api('GET', '/api/v1/connections');
  await own.control('POST', `/rows/memberships/${GRACE}/resend`);
  await own.control('POST', '/faults', { status: 500 });
  const read = async () =>
    Promise.all(
      ['/requests', '/outbox', '/faults'].map(async (path) => (await own.control('GET', path)).body),
    );
  const before = await read();
  const { id } = (await own.control('POST', '/undo-points', { label: 'Clear all' })).body;
  for (const path of ['/requests', '/outbox', '/faults']) await own.control('DELETE', path);
  expect((await own.control('GET', '/requests')).body).toMatchObject({ requests: [], dropped: 0 });
  await own.control('POST', `/undo-points/${id}`);
  expect(await read()).toEqual(before);
});

test('a step that failed leaves nothing to undo', async () => {
  const own = await server.isolated();
  const { id } = (await own.control('POST', '/undo-points', { label: 'x' })).body;
  await own.control('DELETE', `/undo-points/${id}`);
  expect((await own.control('GET', '/undo-points')).body).toEqual({ points: [] });
});

test('a scenario is exported as YAML without what is derived, and whole as JSON; relative ones have no clock', async () => {
  const own = await server.isolated({ clock: CLOCK });
  const read = async (query: string) => (await own.control('GET', `/scenario?${query}`)).text;
  const yaml = await read('format=yaml');
  expect(yaml).toMatch(/^clock: 2026-03-01T12:00:00.000Z\nenvironments:\n/);
  expect(yaml).toContain('email: ada@acme.test');
  expect(yaml).not.toContain('authorization_type');
  expect(await read('relative=false')).toContain('authorization_type');
  const relative = await read('relative=true&format=yaml');
  expect(relative).not.toMatch(/^ *clock:|2026-03-01T12:00:00/m);
  const copy = await server.isolated({ clock: CLOCK });
  await copy.control('PUT', '/scenario', { text: yaml });
  const stateOf = async ({ control }: Isolated) => {
    const { id, clients, access_tokens, ...rows } = (await control('GET', '/state')).body;
    return rows;
  };
  expect(await stateOf(copy)).toEqual(await stateOf(own));
});

test('a text without `environments` is the content of the environment that imports it, and the file gives it its name', async () => {
  const own = await server.isolated();
  const text = 'users: [{ email: new@acme.test }]';
  expect((await own.control('PUT', '/scenario?file=mine.yaml', { text })).body).toEqual({ from: own.name });
  expect(titles(await list(own, 'users'))).toEqual(['new@acme.test']);
  expect((await own.control('GET', '')).body.scenario).toBe('mine.yaml');
  const wrong = await own.control('PUT', '/scenario', { text: 'users: [\n  a: b: c' });
  expect(wrong.body.error.message).toMatch(/^Line 2, column \d+: /);
  for (const given of ['3', 'null', ''])
    expect((await own.control('PUT', '/scenario', { text: given })).body.error.message).toBe(
      'This text is not a scenario.',
    );
});

test('marked calls become a test for each runner: with decisions in their order, also while the clock stands still', async () => {
  const own = await server.isolated({ clock: CLOCK });
  const account = { connector: 'chat', identifier: 'ada@acme.test' };
  const { link } = (await own.api('POST', '/api/v1/connected_accounts/magic_link', account)).body;
  await own.api('GET', '/api/v1/connections');
  await own.control('POST', `/links/${link.split('/').at(-1)}/approve`);
  await own.api('GET', '/api/v1/connected_accounts');
  const { requests } = (await own.control('GET', '/requests')).body;
  const sequences = requests.map(({ sequence }: { sequence: number }) => sequence);
  const texts = (await own.control('POST', '/tests', { sequences })).body;
  expect(Object.keys(texts)).toEqual(['vitest', 'jest', 'playwright']);
  const order = [
    'magic_link',
    'api/v1/connections',
    'env.links.approve(reply1.link)',
    'api/v1/connected_accounts`',
  ];
  const places = order.map((text) => texts.vitest.lastIndexOf(text));
  expect(places).toEqual(places.toSorted((one: number, other: number) => one - other));
  expect(places).not.toContain(-1);
  expect((await own.control('POST', '/tests', { sequences: [99] })).status).toBe(404);
});

test('a call of the journal is found by its number, and a missing one is a 404 that says how many are kept', async () => {
  const own = await server.isolated();
  await own.api('GET', '/api/v1/connections');
  const [{ sequence }] = (await own.control('GET', '/requests')).body.requests;
  expect((await own.control('GET', `/requests/${sequence}`)).body.operation).toBe('listConnections');
  const missing = await own.control('GET', `/requests/${sequence + 1}`);
  expect([missing.status, missing.body.error.hint]).toEqual([
    404,
    expect.stringContaining('last 1,000 calls'),
  ]);
});

test('all scenarios are listed, sorted by name', async () => {
  const { body } = await server.call('GET', '/_mock/scenarios');
  const names = body.scenarios.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['default', 'empty', 'large', 'verify-flow']));
  expect(names).toEqual(names.toSorted());
});
