/* global expect, test -- run by Jest in a project of its own, by control/workers.long.ts */
const { MOCK_URL } = process.env;
const ACCOUNTS = '/api/v1/connected_accounts';

const send = async (method, path, token, body) => {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(MOCK_URL + path, { method, headers, body: body && JSON.stringify(body) });
  return response.json();
};

test.each(Array.from({ length: 25 }, (_, number) => number))('story %s', async (number) => {
  const clock = { mode: 'frozen', now: '2026-03-01T12:00:00Z' };
  const made = await send('POST', '/_mock/environments', undefined, { scenario: 'default', clock });
  const control = (method, path, body) =>
    send(method, `/_mock/environments/${made.id}${path}`, undefined, body);
  const api = (method, path, body) => send(method, path, made.access_token, body);
  const create = (nth) => api('POST', ACCOUNTS, { connector: 'mail', identifier: `story-${nth}@acme.test` });
  const total = async () => (await api('GET', ACCOUNTS)).total_size;

  const first = await create(0);
  for (let nth = 1; nth <= number % 5; nth += 1) await create(nth);
  expect(await total()).toBe(13 + (number % 5));
  const { now } = await control('POST', '/clock/advance', { by: `${number}d` });
  expect(now).toBe(new Date(Date.UTC(2026, 2, 1 + number, 12)).toISOString());
  await control('POST', '/reset');
  expect(await total()).toBe(12);
  expect(await create(0)).toEqual(first);
  await control('DELETE', '');
});
