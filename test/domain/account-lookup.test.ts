import { expect, test } from '@jest/globals';
import { containsText } from '../../src/domain/account-lookup.ts';
import { accountRow } from '../support/rows.ts';

const account = accountRow({
  id: 'ca_1',
  connector: 'Mail',
  identifier: 'Éva@acme.test',
  provider: 'GOOGLE',
});

test.each(['éVA@', 'mail', 'oog', 'ACME.TEST'])('behaviour A1: a search finds %s, ignoring case', (text) => {
  expect(containsText(text)(account)).toBe(true);
});

test.each(['eva', 'testgoogle', 'conn_', 'ca_1'])('behaviour A1: a search does not find %s', (text) => {
  expect(containsText(text)(account)).toBe(false);
});
