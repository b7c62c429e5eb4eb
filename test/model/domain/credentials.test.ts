import { expect, test } from '@jest/globals';
import { credentialFields } from '../../../src/model/domain/credentials.ts';
import { stateOf } from '../../support/core.ts';
import { connectionRow } from '../../support/rows.ts';

const connection = connectionRow({ key_id: 'wiki', type: 'API_KEY', provider_key: 'WIKI:1' });

/** The fields of the credential form, if the custom provider's pattern has these fields. */
const fieldsOf = (fields: unknown, connectionProvider: 'CUSTOM' | 'GOOGLE' = 'CUSTOM') => {
  const auth_patterns = [{ type: 'OAUTH' }, { type: 'API_KEY', fields }];
  const provider = { id: 'prv_1', identifier: 'WIKI:1', display_name: 'Wiki', auth_patterns };
  const state = stateOf({ custom_providers: [provider] });
  return credentialFields(state, { ...connection, provider: connectionProvider });
};

test('behaviour V2: a custom provider defines the fields of its credential form', () => {
  const fields = [
    { name: 'site', label: 'Site' },
    { field_name: 'secret', input_type: 'password' },
    { name: 'note', required: false },
    { label: 'no name' },
    'nonsense',
  ];
  expect(fieldsOf(fields)).toEqual([
    { name: 'site', label: 'Site', secret: false, required: true },
    { name: 'secret', label: 'secret', secret: true, required: true },
    { name: 'note', label: 'note', secret: false, required: false },
  ]);
  expect(fieldsOf(fields, 'GOOGLE')).toMatchObject([{ name: 'api_key' }]); // not a custom provider's connection
});

test.each([
  [undefined],
  [[]],
  ['none'],
  [[{}]],
])('the form of a pattern with the fields %j has the usual fields of its type', (fields) => {
  expect(fieldsOf(fields)).toMatchObject([{ name: 'api_key' }]);
});
