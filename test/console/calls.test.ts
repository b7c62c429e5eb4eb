/** The calls that only the console makes: what they answer, and what they change. */
import { expect, test } from '@jest/globals';
import { type Isolated, testServer } from '../support/server.ts';

const server = testServer();
const clock = '2026-03-01T12:00:00Z';
const ADA = 'users/usr_100000000000000001';
const MAIL = 'connected_accounts/ca_100000000000000001';
const GRACE = 'memberships/org_100000000000000001%2Fusr_100000000000000002';

interface Shown {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly form: Readonly<Record<string, unknown>>;
  readonly actions: readonly { readonly name: string }[];
}

const list = async ({ get }: Isolated, path: string): Promise<readonly Shown[]> =>
  (await get(`/rows/${path}`)).rows;
const rowOf = async ({ get }: Isolated, path: string): Promise<Shown> => (await get(`/rows/${path}`)).row;
const titles = (rows: readonly Shown[]) => rows.map(({ title }) => title);
const statuses = (rows: readonly Shown[]) => rows.map(({ form }) => form.status);
const actionsOf = (row: Shown | undefined) => row?.actions.map(({ name }) => name);

test('each kind has as many rows as it says, and a name for each', async () => {
  const own = await server.isolated();
  const counts: Record<string, number> = {};
  for (const { kind, count } of (await own.get('/kinds')).kinds) {
    const { rows, total } = await own.get(`/rows/${kind}`);
    expect([kind, count, titles(rows).every(Boolean)]).toEqual([kind, total, true]);
    counts[kind] = total;
  }
  expect(counts).toMatchObject({
    ...{ users: 6, memberships: 6, organizations: 2, roles: 2, connected_accounts: 12, connections: 17 },
    ...{ custom_providers: 2, authentication_requests: 25, verification_requests: 1, emails: 0 },
  });
});

test('a field offers what the contract lists for its member, and yes or no for a truth value', async () => {
  const { kinds } = await (await server.isolated()).get('/kinds');
  const picks = kinds.flatMap(({ fields }: { fields: { name: string; pick?: unknown }[] }) =>
    fields.map(({ name, pick }) => [name, pick]),
  );
  expect(picks).toContainEqual(['provider', expect.arrayContaining(['GOOGLE', 'LINKEDIN', 'PLATFORM'])]);
  expect(picks).toContainEqual(['default', ['true', 'false']]);
  expect(picks).toContainEqual(['connector', 'connections']);
});

test('the first 200 rows are shown', async () => {
  const own = await server.isolated({ scenario: 'directory' });
  const { rows: shown, total } = await own.get('/rows/users');
  expect([new Set(shown.map(({ id }: Shown) => id)).size, total]).toEqual([200, 2_000]);
});

test.each([
  ['connected_accounts', 'EXPIRED', ['ada@acme.test']],
  ['connected_accounts', 'ca_100000000000000006', ['ada@acme.test']],
  ['connected_accounts', 'LiNuS', ['linus@acme.test']],
  ['connected_accounts', 'mail%20pending_verification', ['grace@acme.test']],
  ['connected_accounts', 'grace@acme.test%20%C2%B7%20mail', ['grace@acme.test']], // as the page calls it
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
  const rows = await (await server.isolated()).get('/rows/any?query=globex');
  const kinds: string[] = rows.rows.map(({ kind }: { kind: string }) => kind);
  expect([...new Set(kinds)].toSorted()).toEqual([
    'authentication_requests',
    'connected_accounts',
    'connections',
    'organizations',
    'users',
  ]);
  expect(kinds.filter((kind) => kind === 'authentication_requests')).toHaveLength(4);
});

test('a row says what belongs to it: of a user the memberships, accounts, e-mails and sign-ins', async () => {
  const own = await server.isolated();
  await own.control('POST', `/rows/${GRACE}/resend`);
  expect((await list(own, 'emails')).map(({ id }) => id)).toEqual(['1']);
  expect((await rowOf(own, 'emails/1')).form.to).toBe('grace@acme.test');
  const partsOf = async (path: string) => {
    const { parts } = (await own.get(`/rows/${path}`)).row;
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
  expect((await partsOf('organizations/org_100000000000000001')).memberships).toHaveLength(5);
  expect((await own.control('GET', '/rows/users/usr_9')).status).toBe(404);
});

test.each([
  [MAIL, 'expire', 'status', 'EXPIRED'],
  [MAIL, 'approve', 'status', 'ACTIVE'],
  [MAIL, 'disconnect', 'status', 'DISCONNECTED'],
  [MAIL, 'pend', 'status', 'PENDING_AUTH'],
  [GRACE, 'expire', 'membership_status', 'INVITE_EXPIRED'],
  [GRACE, 'resend', 'membership_status', 'PENDING_INVITE'],
  [GRACE, 'accept', 'membership_status', 'ACTIVE'],
  ['connections/conn_100000000000000001', 'disable', 'enabled', false],
])('%s has the action %s, and then the %s %s', async (path, action, member, value) => {
  const own = await server.isolated({ clock });
  expect(actionsOf(await rowOf(own, path))).toContain(action);
  expect((await own.control('POST', `/rows/${path}/${action}`)).status).toBe(200);
  const row = await rowOf(own, path);
  expect(row.form[member]).toBe(value);
  if (value === false) expect(actionsOf(row)).not.toContain(action);
  const wrong = await own.control('POST', `/rows/${path}/${action}x`);
  expect([wrong.status, wrong.body.error.hint]).toEqual([404, expect.stringContaining(action)]);
});

test('behaviour V4: where users must be verified, a link has a page to return to, and the open request is verified', async () => {
  const own = await server.isolated({ settings: { user_verification: 'strict' } });
  const path = 'connected_accounts/ca_100000000000000003';
  const { link } = (await own.control('POST', `/rows/${path}/open`)).body;
  expect(link).toMatch(/\/magicLink\/[\w-]{54}$/);
  await own.control('POST', `/rows/${path}/approve`);
  expect(statuses([await rowOf(own, path)])).toEqual(['PENDING_VERIFICATION']);
  const [request] = await list(own, 'verification_requests?query=chat');
  expect([request?.form.status, actionsOf(request)]).toEqual(['OPEN', ['verify']]);
  expect((await own.control('POST', `/rows/verification_requests/${request?.id}/verify`)).status).toBe(200);
  expect(statuses([await rowOf(own, path)])).toEqual(['ACTIVE']);
  expect((await own.control('POST', `/rows/${path}/verify`)).status).toBe(404);
});

test('behaviour V2: a link is used once the user has decided, and ended from its very end', async () => {
  const own = await server.isolated({ clock });
  for (const account of ['mail/ada@acme.test', 'calendar/ada@acme.test'])
    await own.control('POST', '/rows/authorization_links', { fields: { account } });
  const [first] = await list(own, 'authorization_links');
  expect([first?.title, actionsOf(first)]).toEqual(['mail/ada@acme.test', ['open', 'approve', 'deny']]);
  await own.control('POST', `/rows/authorization_links/${first?.id}/deny`);
  await own.control('POST', '/clock/advance', { by: '14m59s999ms' });
  expect(statuses(await list(own, 'authorization_links'))).toEqual(['USED', 'OPEN']);
  await own.control('POST', '/clock/advance', { by: '1ms' });
  expect(statuses(await list(own, 'authorization_links'))).toEqual(['USED', 'EXPIRED']);
});

test('a user with two memberships is made from four fields; all else is YAML, and the form shows what was written', async () => {
  const own = await server.isolated();
  const fields = { email: ' new@acme.test ', organizations: 'acme, globex', roles: 'admin, member' };
  const form = { fields: { ...fields, external_id: 'x-1' }, text: 'metadata: { team: core }' };
  const made = await own.control('POST', '/rows/users', form);
  expect(made.status).toBe(201);
  const { row, edit } = await own.get(`/rows/users/${made.body.id}`);
  expect(row.parts[0].rows.map(({ about }: Shown) => about)).toEqual([
    'acme · admin, member',
    'globex · admin, member',
  ]);
  expect(edit.fields).toEqual({ email: 'new@acme.test', external_id: 'x-1' });
  expect(edit.text).toContain('metadata:\n  team: core\n');
});

test.each([
  ['users', {}, ['email']],
  ['organizations', { fields: { name: '  ' } }, ['name']],
  ['connected_accounts', {}, ['connector', 'identifier']],
  ['memberships', {}, ['user_id', 'organization_id']],
  ['organizations', {}, ['name']],
  ['roles', {}, ['name']],
  ['connections', {}, ['key_id']],
  ['custom_providers', {}, ['display_name', 'proxy_url']],
  ['authorization_links', {}, ['account']],
  ['authentication_requests', {}, ['email', 'outcome']],
  ['stubs', {}, ['method', 'path']],
  ['stubs', { fields: { method: 'GET', path: '/x' }, text: 'a: [' }, ['text']],
  ['stubs', { fields: { method: 'GET', path: '/x' }, text: '- a' }, ['text']],
])('an unfinished row of %s is refused with all its fields', async (kind, form, wrong) => {
  const { control } = await server.isolated();
  const { status, body } = await control('POST', `/rows/${kind}`, form);
  expect([status, body.error.violations.map(({ field }: { field: string }) => field)]).toEqual([400, wrong]);
});

test('behaviour N4: a new row replaces none', async () => {
  const { control } = await server.isolated();
  const again = await control('POST', '/rows/users', { fields: { email: 'ada@acme.test' } });
  expect([again.status, again.body.error.message]).toEqual([409, expect.stringContaining('usr_1000')]);
});

test('a saved row is what the form says: members go with their lines, and what identifies the row stays', async () => {
  const own = await server.isolated();
  const { text } = (await own.get(`/rows/${ADA}`)).edit;
  const fields = { email: 'countess@acme.test' };
  const saved = await own.control('PUT', `/rows/${ADA}`, { fields, text });
  expect(saved.body).toEqual({ id: 'usr_100000000000000001' });
  const { row } = await own.get(`/rows/${ADA}`);
  expect([row.title, row.form.external_id, row.parts[0].total]).toEqual(['countess@acme.test', undefined, 1]);
  for (const [path, other, problem] of [
    [ADA, text.replaceAll('000001', '000077'), 'id identifies this user, so it stays "usr_1'],
    [GRACE, 'organization_id: globex\nroles: [member]', 'organization_id identifies this membership'],
  ] as const) {
    const moved = await own.control('PUT', `/rows/${path}`, { fields, text: other });
    expect(moved.body.error.message).toContain(problem);
  }
  expect(await list(own, 'users')).toHaveLength(6);
  expect(await list(own, 'memberships')).toHaveLength(6);
});

test('a stub with another path stays one stub, and its fields have the types of their members', async () => {
  const own = await server.isolated();
  const fields = { method: 'GET', path: '/a' };
  const { id } = (await own.control('POST', '/rows/stubs', { fields })).body;
  const renamed = { fields: { ...fields, path: '/b', status: '202' }, text: 'body: { a: 1 }' };
  expect((await own.control('PUT', `/rows/stubs/${encodeURIComponent(id)}`, renamed)).body.id).toBe('GET /b');
  const [stub, ...others] = await list(own, 'stubs');
  expect([stub, others]).toMatchObject([{ id: 'GET /b', form: { status: 202, body: { a: 1 } } }, []]);
});

test('a deleted row is gone; while others name a row, it stays, and the refusal names them', async () => {
  const own = await server.isolated();
  expect((await own.control('DELETE', `/rows/${GRACE}`)).status).toBe(200);
  expect(await list(own, 'memberships')).toHaveLength(5);
  const { status, body } = await own.control('DELETE', '/rows/connections/conn_100000000000000001');
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('mail/ada@acme.test')]);
});

test('ends are counted in all rows, back to the start; ends that a refresh prevents are counted apart', async () => {
  const account = { connector: 'mail', status: 'ACTIVE' };
  const connected_accounts = [
    { ...account, identifier: 'many{n}', repeat: 300, token_expires_at: '+2d', refresh: 'deny' },
    { ...account, identifier: 'fresh', token_expires_at: '+3d', refresh: 'grant' },
    { ...account, identifier: 'cut', token_expires_at: '+4d', status: 'DISCONNECTED' },
  ];
  const rows = { connections: [{ key_id: 'mail', type: 'OAUTH' }], connected_accounts };
  const own = await server.isolated({ clock, scenario: { environments: { own: rows } } });
  const [many, fresh] = [
    { at: '2026-03-03T12:00:00.000Z', text: '300 tokens' },
    { at: '2026-03-04T12:00:00.000Z', text: 'token of fresh is refreshed' },
  ];
  expect(await own.get('/ends')).toMatchObject({ ended: [], coming: [many, fresh], total_ended: 0 });
  await own.control('PUT', '/clock', { mode: 'frozen', now: '2026-03-05T12:00:00Z' });
  expect(await own.get('/ends')).toMatchObject({
    home: { mode: 'frozen', now: '2026-03-01T12:00:00.000Z' },
    ended: [{ text: '300 tokens ended' }, { text: 'token of fresh was refreshed' }],
    ...{ coming: [], total_ended: 300 },
  });
});

test('Undo brings back what Clear took: the journal, the outbox and faults; a step that failed leaves none', async () => {
  const own = await server.isolated();
  await own.api('GET', '/api/v1/connections');
  await own.control('POST', `/rows/${GRACE}/resend`);
  await own.control('POST', '/faults', { status: 500 });
  const paths = ['/requests', '/outbox', '/faults'];
  const readAll = () => Promise.all(paths.map((path) => own.get(path)));
  const before = await readAll();
  const point = async () => (await own.control('POST', '/undo-points', { label: 'Clear all' })).body.id;
  const id = await point();
  for (const path of paths) await own.control('DELETE', path);
  expect(await own.get('/requests')).toMatchObject({ requests: [], dropped: 0 });
  await own.control('POST', `/undo-points/${id}`);
  expect(await readAll()).toEqual(before);
  await own.control('PATCH', `/undo-points/${await point()}`, { done: false });
  expect(await own.get('/undo-points')).toEqual({ points: [] });
});

test('a scenario is exported as YAML without what is derived, and whole as JSON; relative ones have no clock', async () => {
  const own = await server.isolated({ clock });
  const textOf = async (query: string) => (await own.control('GET', `/scenario?${query}`)).text;
  const { text: yaml, headers } = await own.control('GET', '/scenario?format=yaml');
  expect(headers['content-type']).toMatch(/^application\/yaml/);
  expect(yaml).toMatch(/^clock: 2026-03-01T12:00:00.000Z\nenvironments:\n/);
  expect(yaml).toContain('email: ada@acme.test');
  expect(yaml).not.toContain('authorization_type');
  expect(yaml).not.toMatch(/: [&*]a\d/); // equal lists stay lists: no anchors
  expect(await textOf('relative=false')).toContain('authorization_type');
  expect(await textOf('relative=true&format=yaml')).not.toMatch(/^ *clock:|2026-03-01T12:00:00/m);
  const copy = await server.isolated({ clock });
  await copy.control('PUT', '/scenario', { text: yaml });
  const credentials = { id: '', clients: [], access_tokens: [] };
  expect({ ...(await copy.get('/state')), ...credentials }).toEqual({
    ...(await own.get('/state')),
    ...credentials,
  });
});

test('a text without `environments` is the content of the environment that imports it, and the file gives it its name', async () => {
  const own = await server.isolated();
  const put = async (text: string, query = '') =>
    (await own.control('PUT', `/scenario${query}`, { text })).body;
  expect(await put('users: [{ email: new@acme.test }]', '?file=mine.yaml')).toEqual({});
  expect(titles(await list(own, 'users'))).toEqual(['new@acme.test']);
  expect((await own.get('')).scenario).toBe('mine.yaml');
  expect((await put('users: [\n  a: b: c')).error.message).toMatch(/^Line 2, column \d+: /);
  for (const text of ['3', 'null', ''])
    expect((await put(text)).error.message).toBe('This text is not a scenario.');
});

test('a call of the journal is found by its number, and a missing one is a 404 that says how many are kept', async () => {
  const own = await server.isolated();
  await own.api('GET', '/api/v1/connections');
  const [{ sequence }] = (await own.get('/requests')).requests;
  expect((await own.get(`/requests/${sequence}`)).operation).toBe('listConnections');
  const missing = await own.control('GET', `/requests/${sequence + 1}`);
  expect([missing.status, missing.body.error.hint]).toEqual([404, expect.stringContaining('last 1,000')]);
  expect((await own.control('POST', '/tests', { sequences: [99] })).status).toBe(404);
});

test('all scenarios are listed, sorted by name', async () => {
  const { scenarios } = (await server.call('GET', '/_mock/scenarios')).body;
  const names = scenarios.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['default', 'empty', 'large', 'verify-flow']));
  expect(names).toEqual(names.toSorted());
});
