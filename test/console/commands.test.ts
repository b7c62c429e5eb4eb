/** What Ctrl+K makes of a text, and the search for rows behind it. */
import { expect, test } from '@jest/globals';
import { entriesOf, rowQuery, type Sources } from '../../src/console/browser/commands.ts';
import { testServer } from '../support/server.ts';

const server = testServer();

const account = { id: 'ca_1', status: 'ACTIVE' };
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
    row('connected_accounts', 'ca_1', account),
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
  ['fail next listConnections 429', [{ to: 'fail', operation: 'listConnections', status: 429 }]],
  ['Fail listc', [{ to: 'fail', operation: 'listConnections', status: 500 }]],
  ['+15 days', [{ to: 'advance', by: '15d' }]],
  ['+2h', [{ to: 'advance', by: '2h' }]],
  ['+1 minute', [{ to: 'advance', by: '1m' }]],
  ['expire ada mail', [{ to: 'expire', account }]],
])('"%s" is an action', (text, deeds) => {
  expect(found(text)).toEqual(deeds);
});

test('any other text finds views, rows, calls, operations and sections, in this order', () => {
  const rows = [
    { to: 'view', view: 'connected_accounts', id: 'ca_1' },
    { to: 'view', view: 'connected_accounts', id: 'ca_2' },
    { to: 'view', view: 'users', id: 'usr_1' },
  ];
  const section = { to: 'section', address: 'control-plane#let-calls-fail' };
  expect(found('FAULT')).toEqual([{ to: 'view', view: 'faults' }, ...rows, section]);
  expect(found('connections list')).toEqual([
    ...rows,
    { to: 'view', view: 'journal', id: '7' },
    { to: 'operation', operation: 'listConnections' },
    section,
  ]);
  expect(found('')).toEqual([
    { to: 'view', view: 'faults' },
    { to: 'view', view: 'journal' },
  ]);
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
