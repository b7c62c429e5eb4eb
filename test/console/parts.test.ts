/** The console's texts: how it writes times, counts, names and calls. */
import { expect, test } from '@jest/globals';

// Modules of the browser read its address when they are loaded.
Object.assign(globalThis, {
  location: { hash: '#/own', pathname: '/_mock/', origin: 'http://a.test' },
  document: { baseURI: 'http://a.test/_mock/' },
  addEventListener: () => {},
  setInterval: () => {},
});
const folder = '../../src/console/browser'; // a variable, since the sources of the browser have types of their own
const { toCurl } = await import(`${folder}/parts/code.tsx`);
const { hasWords, toWords } = await import(`${folder}/parts/layout.tsx`);
const { addressOfRow } = await import(`${folder}/parts/links.tsx`);
const { formatDistance, formatInstant, readClock, startClock } = await import(`${folder}/live/clock.ts`);
const { CallError, mayPass } = await import(`${folder}/live/api.ts`);
const { once } = await import(`${folder}/reference/document.ts`);

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
  expect(
    ['token_expires_at', 'user_id', 'proxy_url', 'magic_link_ttl', 'ids', 'identifier', 'a.b'].map(toWords),
  ).toEqual(['Token expires at', 'User ID', 'Proxy URL', 'Magic link TTL', 'IDs', 'Identifier', 'A b']);
  expect(
    [
      ['Ada Mail', ' mail ADA'],
      ['Ada Mail', 'ada x'],
      ['', ''],
    ].map(([text, query]) => hasWords(text, query)),
  ).toEqual([true, false, true]);
});

test('ids of rows are links, in the environment of the page', () => {
  const kinds = {
    ca: 'connected_accounts',
    org: 'organizations',
    usr: 'users',
    conn: 'connections',
    role: 'roles',
    prv: 'custom_providers',
  };
  for (const [prefix, kind] of Object.entries(kinds))
    expect(addressOfRow(`${prefix}_100000000000000001`)).toBe(
      `#/own/data/${kind}/${prefix}_100000000000000001`,
    );
  for (const text of ['env_100000000000000001', 'ca_', ' ca_100000000000000001', 'ca_1x'])
    expect(addressOfRow(text)).toBeUndefined();
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

test('a failure may pass if the mock did not answer or had a fault of its own; advice for programs is not shown', () => {
  const failure = (status: number, hint = 'Wait.') => new CallError(status, 'x', hint);
  expect([0, 400, 499, 500, 503].map((status) => mayPass(failure(status)))).toEqual([
    true,
    false,
    false,
    true,
    true,
  ]);
  expect(mayPass(new Error('x'))).toBe(false);
  expect(
    ['Wait.', 'See /_mock/openapi.json.', 'Use PUT for that.', 'Put it there.'].map(
      (hint) => failure(400, hint).hint,
    ),
  ).toEqual(['Wait.', '', '', 'Put it there.']);
});

test('a value is read only once, but again after a failure', async () => {
  let read = 0;
  const reading = once(async () => {
    read += 1;
    if (read === 1) throw new Error('first');
    return read;
  });
  await expect(reading()).rejects.toThrow('first');
  expect(await Promise.all([reading(), reading()])).toEqual([2, 2]);
  expect(await reading()).toBe(2);
});
