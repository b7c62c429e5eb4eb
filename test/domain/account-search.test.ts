import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { countSelected, select, takeSelected } from '../../src/core/selection.ts';
import { createTable, putRow, removeRow } from '../../src/core/table.ts';
import { ACCOUNTS } from '../../src/domain/account.ts';
import { containing } from '../../src/domain/account-search.ts';
import { accountRow } from '../support/rows.ts';

const letters = fc.string({ unit: fc.constantFrom('a', 'B', 'b', '@', 'É', 'é', 'İ', '\n'), maxLength: 6 });
const account = fc
  .record({
    id: fc.nat(20).map((number) => `ca_${number}`),
    connector: fc.constantFrom('ab', 'Ba'),
    connection_id: fc.constantFrom('conn_1', 'conn_2'),
    identifier: letters,
  })
  .map(accountRow);
const write = fc.oneof(
  account,
  fc.nat(20).map((number) => `ca_${number}`),
);

test('behaviour A1: after any writes a search finds what a plain look through all accounts finds, in their order', () => {
  fc.assert(
    fc.property(fc.array(write, { maxLength: 30 }), letters, fc.boolean(), (writes, text, filtered) => {
      let table = createTable(ACCOUNTS);
      for (const each of writes) {
        table = typeof each === 'string' ? removeRow(table, each) : putRow(table, each);
        const where = filtered ? { connection_id: ['conn_1'] } : {};
        const selection = select(table, where, undefined, [containing(table, text)]);
        const expected = [...table.rows.values()].filter(
          ({ identifier, provider, connector, connection_id }) =>
            (!filtered || connection_id === 'conn_1') &&
            [identifier, provider, connector].some((held) => held.toLowerCase().includes(text.toLowerCase())),
        );
        expect(takeSelected(selection, 99, 'forward').map(({ row }) => row)).toEqual(expected);
        expect(countSelected(selection)).toBe(expected.length);
      }
    }),
  );
});

test('behaviour A1: no search crosses from one text, or one account, to the next', () => {
  const rows = ['one', 'two'].map((identifier) =>
    accountRow({ id: identifier, connector: 'mail', identifier }),
  );
  const table = createTable(ACCOUNTS, rows);
  for (const text of ['onemail', 'mailtwo', 'one\u0000mail', '\u0000', 'mail\u0000two']) {
    expect(countSelected(select(table, {}, undefined, [containing(table, text)]))).toBe(0);
  }
});

test('behaviour A1: among thousands of accounts a search sees every write at once, wherever it fell', () => {
  const rows = Array.from({ length: 1_600 }, (_, nth) =>
    accountRow({ id: `ca_${nth}`, connector: 'mail', identifier: `person-${nth}` }),
  );
  const count = (table: typeof accounts) =>
    countSelected(select(table, {}, undefined, [containing(table, 'Found')]));
  const accounts = createTable(ACCOUNTS, rows);
  expect(count(accounts)).toBe(0);
  let table = accounts;
  for (const [nth, id] of ['ca_0', 'ca_511', 'ca_512', 'ca_1599', 'ca_new', 'ca_newer'].entries()) {
    table = putRow(table, accountRow({ id, connector: 'mail', identifier: `found-${nth}` }));
    expect(count(table)).toBe(nth + 1);
  }
  expect(count(removeRow(table, 'ca_512'))).toBe(5);
  expect(count(table)).toBe(6);
  expect(count(accounts)).toBe(0);
});
