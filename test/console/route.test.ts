/** The address of the console, which people share. */
import { expect, test } from '@jest/globals';

// The module reads the browser's address when it is loaded.
Object.assign(globalThis, { location: { hash: '' }, addEventListener: () => {} });
const path = '../../src/console/browser/route.ts'; // a variable, since the sources of the browser have types of their own
const { addressOf } = await import(path);

test('an address has no empty parts, and its names and values are encoded', () => {
  expect(addressOf({ environment: 'a/b', view: 'users', params: { query: '', page: '2' } })).toBe(
    '#/a%2Fb/users?page=2',
  );
  expect(addressOf({ environment: 'a', view: 'users', id: 'u 1', params: { query: 'a&b' } })).toBe(
    '#/a/users/u%201?query=a%26b',
  );
  expect(addressOf({ environment: '', view: '' })).toBe('#/');
});
