/** Search over real HTTP, page by page: the text is what a search is, `connection_id` narrows it (behaviour I4). */
import { expect, test } from '@jest/globals';
import { testServer } from '../support/server.ts';

const server = testServer();

const search = async (query: Record<string, string>) =>
  server.call('GET', `/api/v1/connected_accounts:search?${new URLSearchParams(query)}`);

test('behaviour I4: a page token keeps a connection_id that is left out', async () => {
  const given = { query: 'globex', connection_id: 'conn_100000000000000001', page_size: '1' };
  const { total_size, next_page_token } = (await search(given)).body;
  const next = await search({ query: 'globex', page_token: next_page_token });
  expect([next.status, next.body.total_size]).toEqual([200, total_size]);
  const other = { query: 'globex', page_token: next_page_token, connection_id: 'conn_100000000000000002' };
  expect((await search(other)).status).toBe(400);
});

test('behaviour I4: a search without its text is 400, with a page token too', async () => {
  const { next_page_token } = (await search({ query: 'acme', page_size: '1' })).body;
  for (const query of [{}, { query: '' }, { page_token: next_page_token }]) {
    const { status, body } = await search(query);
    expect([status, body.message]).toEqual([400, 'query is missing. Add it.']);
  }
});
