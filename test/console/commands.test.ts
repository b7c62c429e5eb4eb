/** What Ctrl+K makes of a text, and the search for rows behind it. */
import { expect, test } from '@jest/globals';
import { entriesOf, rowQuery, type Sources } from '../../src/console/browser/commands.ts';
import { testServer } from '../support/server.ts';

const server = testServer();

const row = (kind: string, id: string, content: object) => ({
  kind,
  title: kind,
  id,
  name: 'ada',
  about: 'mail',
  row: { ...content },
});

const SOURCES: Sources = {
  views: [
    { id: 'faults', title: 'Faults' },
    { id: 'journal', title: 'Journal' },
  ],
  rows: [
    row('connected_accounts', 'ca_1', { status: 'ACTIVE' }),
    row('connected_accounts', 'ca_2', { status: 'EXPIRED' }),
    row('users', 'usr_1', {}),
  ],
  calls: [
    { sequence: 7, status: 429, method: 'GET', url: '/api/v1/connections', operation: 'listConnections' },
  ],
  operations: [
    { operationId: 'createConnection', summary: 'Create one' },
    { operationId: 'listConnections', summary: 'List connections' },
  ],
  sections: [{ page: 'Faults', heading: 'Let calls fail', href: 'control-plane#let-calls-fail' }],
};

const found = (text: string) => entriesOf(text, SOURCES).map(({ deed }) => deed);

test.each([
  ['fail next listConnections 429', '/faults', { operation: 'listConnections', status: 429, times: 1 }],
  ['Fail listc', '/faults', { operation: 'listConnections', status: 500, times: 1 }],
  ['+15 days', '/clock/advance', { by: '15d' }],
  ['+2h', '/clock/advance', { by: '2h' }],
  ['+1 minute', '/clock/advance', { by: '1m' }],
  ['expire ada mail', '/connected_accounts/ca_1/expire', undefined],
])('"%s" is an action', (text, post, body) => {
  expect(found(text)).toEqual([{ post, body, done: expect.any(String) }]);
});

test('any other text finds views, rows, calls, operations and sections, in this order', () => {
  const rows = [
    { view: 'connected_accounts', id: 'ca_1' },
    { view: 'connected_accounts', id: 'ca_2' },
    { view: 'users', id: 'usr_1' },
  ];
  const section = { section: 'control-plane#let-calls-fail' };
  expect(found('FAULT')).toEqual([{ view: 'faults' }, ...rows, section]);
  expect(found('connections list')).toEqual([
    ...rows,
    { view: 'journal', id: '7' },
    { page: 'docs', view: 'listConnections' },
    section,
  ]);
  expect(found('')).toEqual([{ view: 'faults' }, { view: 'journal' }]);
});

test.each([
  ['ada', 'ada'],
  ['expire ada mail', 'ada mail'],
  ['fail next listConnections 429', ''],
  ['+15 days', ''],
])('"%s" looks for the rows of "%s"', (text, query) => {
  expect(rowQuery(text)).toBe(query);
});

test('one call finds the first four rows of each kind', async () => {
  const { control } = await server.isolated();
  const { body } = await control('GET', '/rows?query=acme');
  const lists = await Promise.all(
    Object.keys(body).map(async (kind) => [
      kind,
      (await control('GET', `/resources/${kind}?query=acme&page_size=4`)).body.rows,
    ]),
  );
  expect(body).toEqual(Object.fromEntries(lists));
  expect(body.users).not.toEqual([]);
  expect((await control('GET', '/rows?query=')).status).toBe(400);
});
