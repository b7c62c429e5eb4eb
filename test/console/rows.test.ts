/** The search for rows behind Ctrl+K. */
import { expect, test } from '@jest/globals';
import { testServer } from '../support/server.ts';

const server = testServer();

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
