import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { deriveIdentifier } from '../../../src/model/domain/provider.ts';
import { stateOf } from '../../support/core.ts';

const ENVIRONMENT_ID = 'env_100000000000000001';
const holding = (...identifiers: readonly string[]) =>
  stateOf({
    custom_providers: identifiers.map((identifier, index) => ({
      id: `prv_${index}`,
      identifier,
      display_name: `Provider ${index}`,
    })),
  });

test.each([
  ['Internal Wiki', 'INTERNAL_WIKI'],
  ['  release -- notes!  ', 'RELEASE_NOTES'],
  ['GitHub Enterprise 2', 'GITHUB_ENTERPRISE_2'],
  ['already_SNAKE_case', 'ALREADY_SNAKE_CASE'],
  ['Büro Straße', 'BURO_STRASSE'],
  ['ﬁle ①', 'FILE_1'],
  ['社内ウィキ', 'PROVIDER'],
  ['Wiki 社内', 'WIKI'],
  ['🚀', 'PROVIDER'],
  ['---', 'PROVIDER'],
])('behaviour P2: the identifier of a provider called %p is %s, a colon and the digits of the environment id', (name, expected) => {
  expect(deriveIdentifier(holding(), name, ENVIRONMENT_ID)).toBe(`${expected}:100000000000000001`);
});

test('behaviour P2: an identifier that is already taken gets the first free number from 2 on', () => {
  const taken = ['WIKI:100000000000000001', 'WIKI_2:100000000000000001', 'WIKI_4:100000000000000001'];
  expect(deriveIdentifier(holding(...taken), 'wiki', ENVIRONMENT_ID)).toBe('WIKI_3:100000000000000001');
});

test('behaviour P2: only the part before the colon decides whether an identifier is taken', () => {
  const copied = holding('WIKI:100000000000000002');
  expect(deriveIdentifier(copied, 'Wiki', ENVIRONMENT_ID)).toBe('WIKI_2:100000000000000001');
});

test('behaviour P2: whatever the display name, the identifier is upper snake case', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' }), (name) => {
      expect(deriveIdentifier(holding(), name, ENVIRONMENT_ID)).toMatch(/^[A-Z0-9]+(_[A-Z0-9]+)*:\d{18}$/);
    }),
  );
});
