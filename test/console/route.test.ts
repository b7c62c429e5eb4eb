/** The address of the console, which people share. */
import { expect, test } from '@jest/globals';

// The module reads the browser's address when it is loaded.
Object.assign(globalThis, {
  location: { hash: '#/own/createMagicLink', pathname: '/_mock/docs', search: '?of=control' },
  history: { replaceState: (_state: unknown, _title: string, to: string) => shown.push(to) },
  addEventListener: () => {},
});
const shown: string[] = [];
const path = '../../src/console/browser/route.ts'; // a variable, since the sources of the browser have types of their own
const { addressOf } = await import(path);

test('an address has no empty parts, and its names and values are encoded', () => {
  expect(addressOf({ environment: 'a/b', view: 'data', params: { query: '', page: '2' } })).toBe(
    '#/a%2Fb/data?page=2',
  );
  expect(
    addressOf({ environment: 'a', view: 'data', part: 'users', id: 'u 1', params: { query: 'a&b' } }),
  ).toBe('#/a/data/users/u%201?query=a%26b');
  expect(addressOf({ environment: '', view: '' })).toBe('#/');
});

test('the address of the reference that people know leads to the operation', () => {
  expect(shown).toEqual(['./#/own/reference/createMagicLink?of=control']);
});
