import { expect, test } from '@jest/globals';
import { containsText } from '../../src/domain/account-lookup.ts';
import { accountRow } from '../support/rows.ts';

const account = accountRow({
  id: 'ca_1',
  connector: 'Mail',
  identifier: 'Éva@acme.test',
  provider: 'GOOGLE',
});

test.each(['éVA@', 'mail', 'oog', 'ACME.TEST'])('behaviour A1: %s is found in any case', (text) => {
  expect(containsText(text)(account)).toBe(true);
});

test.each(['eva', 'testgoogle', 'conn_', 'ca_1'])('behaviour A1: %s is not found', (text) => {
  expect(containsText(text)(account)).toBe(false);
});
