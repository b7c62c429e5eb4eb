/** The console's texts and addresses: how it writes times, counts, names, calls and places. */
import { expect, test } from '@jest/globals';

const shown: string[] = [];
// Modules of the browser read its address when they are loaded.
Object.assign(globalThis, {
  location: { hash: '#/own/createMagicLink', pathname: '/_mock/docs', search: '?of=control' },
  history: { replaceState: (_state: unknown, _title: string, to: string) => shown.push(to) },
  document: { baseURI: 'http://a.test/_mock/' },
  addEventListener: () => {},
  setInterval: () => {},
});
const folder = '../../src/console/browser'; // a variable, since the sources of the browser have types of their own
const { addressOfRow, toCurl } = await import(`${folder}/parts/code.tsx`);
const { hasWords, toWords } = await import(`${folder}/parts/layout.tsx`);
const { formatDistance, formatInstant, readClock, startClock } = await import(`${folder}/live/clock.ts`);
const { CallError, mayPass } = await import(`${folder}/live/api.ts`);
const { addressOf } = await import(`${folder}/route.ts`);

test('the address of the reference that people know leads to the operation', () => {
  expect(shown).toEqual(['./#/own/reference/createMagicLink?of=control']);
});

test.each([
  [{ environment: 'a/b', view: 'data', params: { query: '', page: '2' } }, '#/a%2Fb/data?page=2'],
  [
    { view: 'data', part: 'users', id: 'u 1', params: { query: 'a&b' } },
    '#/own/data/users/u%201?query=a%26b',
  ],
  [{ environment: '', view: '' }, '#/'],
])('an address has no empty parts, and its names and values are encoded: %j', (route, address) => {
  expect(addressOf(route)).toBe(address);
});

test.each([
  [0, 'now'],
  [999, 'in 1 second'],
  [-1_000, '1 second ago'],
  [59_999, 'in 60 seconds'],
  [60_000, 'in 1 minute'],
  [-5_400_000, '1 hour ago'],
  [3_600_000, 'in 1 hour'],
  [86_400_000, 'tomorrow'],
  [-86_399_999, '24 hours ago'],
  [-172_800_000, '2 days ago'],
])('%d ms from now is "%s"', (ms, words) => {
  expect(formatDistance(ms)).toBe(words);
});

test('a time has no fraction; a frozen clock stands, and a running one goes on from what the server said', () => {
  const now = '2026-03-01T12:00:59.999Z';
  expect(formatInstant(Date.parse(now))).toBe('2026-03-01 12:00:59');
  expect(readClock(startClock({ mode: 'frozen', now }))).toBe(Date.parse(now));
  const running = startClock({ mode: 'running', now });
  expect(readClock({ ...running, at: running.at - 5_000 }) - Date.parse(now)).toBeGreaterThanOrEqual(5_000);
});

test('names in words, and texts with words', () => {
  const names = ['token_expires_at', 'user_id', 'proxy_url', 'magic_link_ttl', 'ids', 'identifier', 'a.b'];
  expect(names.map(toWords).join()).toBe(
    'Token expires at,User ID,Proxy URL,Magic link TTL,IDs,Identifier,A b',
  );
  const queries = ['mail ADA', ' mail', 'ada x', ''];
  expect(queries.map((query) => hasWords('Ada Mail', query))).toEqual([true, true, false, true]);
});

test('ids of rows are links, in the environment of the page', () => {
  const kinds = { ca: 'connected_accounts', org: 'organizations', usr: 'users', conn: 'connections' };
  for (const [prefix, kind] of Object.entries({ ...kinds, role: 'roles', prv: 'custom_providers' }))
    expect(addressOfRow(`${prefix}_1`)).toBe(`#/own/data/${kind}/${prefix}_1`);
  for (const text of ['env_1', 'ca_', ' ca_1', 'ca_1x']) expect(addressOfRow(text)).toBeUndefined();
});

test('a call is written for curl', () => {
  const call = {
    method: 'POST',
    url: 'https://a.test/x?a=1',
    headers: { 'X-A': "it's", 'Content-Type': 'application/json' },
    body: '{\n  "a": 1\n}',
  };
  expect(toCurl(call)).toBe(
    `curl -X POST 'https://a.test/x?a=1' \\\n  -H 'X-A: it'\\''s' \\\n  -H 'Content-Type: application/json' \\\n  --data-raw '{\n  "a": 1\n}'`,
  );
  expect(toCurl({ method: 'HEAD', url: 'https://a.test', headers: {} })).toBe("curl -I 'https://a.test'");
});

test('a call may succeed later if it got no answer, or one of 500 and more', () => {
  const failures = [0, 400, 499, 500].map((status) => new CallError(status, 'x', ''));
  expect([...failures, new Error('x')].map(mayPass)).toEqual([true, false, false, true, false]);
});
