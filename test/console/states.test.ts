/** The console's reset, snapshots, scenario files, settings and coverage. */
import { expect, test } from '@jest/globals';
import { openPage } from '../support/page.ts';
import { listeningServer } from '../support/server.ts';

const server = await listeningServer();
const own = await server.isolated({ name: 'own', clock: '2026-03-01T12:00:00Z' });
const page = await openPage(`${server.mock.url}/_mock/#/own/snapshots`);
const sent = () => page.sent().map((call) => call.replace('environments/own/', ''));
const count = async (): Promise<number> => (await own.control('GET', '/resources')).body.users;

test('a snapshot is taken, restored and deleted, the newest first; each of these can be undone', async () => {
  for (const name of ['one', 'two']) {
    await page.write('name', name);
    await page.submit('Take snapshot');
  }
  expect(sent()).toEqual(['POST snapshots {"name":"one"}', 'POST snapshots {"name":"two"}']);
  expect(page.notices()).toBe('Snapshot “two” taken.');
  expect(page.textOf('main')).toMatch(
    / Take snapshot two The clock showed 2026-03-01 12:00:00 \. Restore Delete one The clock/,
  );
  await own.control('PATCH', '/state', { users: [{ email: 'x@acme.test' }] });
  await page.press('Restore one');
  expect([sent(), await count()]).toEqual([['POST undo-points', 'POST snapshots/one/restore'], 6]);
  expect(page.notices()).toMatch(/own was restored from the snapshot “one”\. Undo$/);
  await page.press('Undo');
  expect(await count()).toBe(7);
  await page.press('Delete two');
  expect(page.notices()).toMatch(/Snapshot “two” deleted\. Undo$/);
  expect(page.textOf('main')).not.toContain('two The clock');
});

test('Reset and Switch load a scenario, which is then in use', async () => {
  sent();
  await page.press('Switch to empty');
  expect([sent(), await count()]).toEqual([['POST undo-points', 'POST reset {"scenario":"empty"}'], 0]);
  expect(page.notices()).toMatch(/own now uses the scenario empty\. Undo$/);
  expect(page.root.text).toContain(' scenario empty Search ');
  expect(page.textOf('main')).toContain(' empty in use Credentials of both environments, no data Switch ');
  await own.control('PATCH', '/state', { users: [{ email: 'x@acme.test' }] });
  await page.press('Reset');
  expect([sent(), await count()]).toEqual([['POST undo-points', 'POST reset {}'], 0]);
  expect(page.notices()).toMatch(/own was reset\. Undo$/);
});

test('a scenario file is imported under its name, and the notice says which of its environments was taken', async () => {
  for (const [text, done] of [
    ['users: [{ email: a@acme.test }]', 'own was imported from mine.yaml.'],
    [
      'environments: { other: { users: [{ email: a@acme.test }, { email: b@acme.test }] } }',
      'own was imported from mine.yaml, environment other.',
    ],
  ] as const) {
    const files = [new File([text], 'mine.yaml')];
    const input = page.root.all.find(({ attributes }) => attributes.type === 'file');
    Object.assign(input ?? {}, { files, value: 'mine.yaml' });
    input?.fire('change');
    await page.settle();
    expect(input?.value).toBe(''); // so that the same file can be chosen again
    expect(sent()).toEqual(['POST undo-points', 'PUT scenario?file=mine.yaml']);
    expect(page.notices()).toMatch(`${done} Undo`);
  }
  expect([await count(), (await own.control('GET', '')).body.scenario]).toEqual([2, 'mine.yaml']);
});

test('settings are shown with a mark where they differ from the default, and changed ones are sent with their type', async () => {
  await own.control('PATCH', '/settings', { strict: true });
  await page.go('#/own/settings');
  const marked = page.root.all
    .filter(({ attributes }) => attributes.class === 'changed')
    .map(({ parentNode }) => parentNode?.text);
  expect([marked, page.find('strict').value, page.find('invite_ttl').value]).toEqual([
    ['Strict strict'],
    'true',
    '15d',
  ]);
  await page.write('strict', 'false');
  await page.write('invite_ttl', '');
  await page.write('magic_link_ttl', 'soon');
  await page.submit('Save settings');
  expect(page.textOf('main')).toMatch(/See the marked fields\. Save settings$/);
  await page.write('magic_link_ttl', '5m');
  sent();
  await page.submit('Save settings');
  expect(sent()).toEqual(['PATCH settings {"strict":false,"invite_ttl":null,"magic_link_ttl":"5m"}']);
  expect(page.notices()).toMatch(/Settings saved\.$/);
  expect(page.textOf('main')).not.toContain('See the marked fields.');
});

test('the coverage has the operations with most left first, and what each call has not used', async () => {
  await page.go('#/own/coverage');
  const operation = (name: string): string =>
    page.root.all.find(({ localName, text }) => localName === 'li' && text.startsWith(`${name} `))?.text ??
    '';
  expect(page.textOf('main')).toMatch(
    /^Coverage 0% Clear operations 0 of 24 statuses 0 of \d+ parameters 0 of \d+ members 0 of \d+ /,
  );
  expect(operation('listConnections')).toMatch(
    /^listConnections never called 6 missing Missing statuses 200 400 401 Missing parameters organization_id domain include( 200 connections)?$/,
  );
  await own.api('GET', '/api/v1/connections?include=all');
  await page.settle();
  expect(operation('listConnections')).toMatch(
    /^listConnections 200 1 × 4 missing Missing statuses 400 401 Missing parameters organization_id domain$/,
  );
  const missing = page.root.all
    .map(({ localName, text }) => localName === 'summary' && Number(/(\d+) missing$/.exec(text)?.[1]))
    .filter((each) => each !== false);
  expect(missing).toEqual(missing.toSorted((one, other) => Number(other) - Number(one)));
  sent();
  await page.press('Clear');
  expect([sent(), page.textOf('h1')]).toEqual([['DELETE coverage'], 'Coverage 0%']);
});
