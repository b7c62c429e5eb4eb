/** The commands that read a running mock, called in this process. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { start } from '../library/start.ts';
import { runCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';

const file = join(temporaryFolder(), 'mine.yaml');
const TOKEN = ['--control-token', 'sesame'];

test('export writes the environment that is named, else the first, to a file or to standard output', async () => {
  const { url } = await start({ controlToken: 'sesame' });
  const run = (...flags: string[]) =>
    runCommand(['export', ...TOKEN, ...flags], { env: { CA_MOCK_URL: url } });
  expect(await run('--environment', 'production', file)).toEqual({
    code: 0,
    out: `Wrote production to ${file}. Serve it with: ca-mock --scenario ${file}\n`,
    err: '',
  });
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).environments)).toEqual(['production']);
  expect(await runCommand(['validate', file])).toMatchObject({ code: 0, err: '' });
  const { out, err } = await run();
  expect([Object.keys(JSON.parse(out).environments), err]).toEqual([['development'], '']);
  expect(JSON.parse(out).clock.mode).toBe('running');
  expect((await run('--relative')).out).not.toMatch(/"clock":|\d{4}-\d{2}-\d{2}T/);
  const wrong = await run('--environment', 'prodction');
  expect([wrong.code, wrong.out, wrong.err]).toEqual([1, '', expect.stringContaining('"production"')]);
  const denied = await runCommand(['export', '--url', url]);
  expect([denied.code, denied.err]).toEqual([1, expect.stringContaining('control token')]);
});

test('coverage shows each mock that is named, in this order, as a table or as a line of JSON', async () => {
  const mocks = [await start(), await start()];
  for (const path of ['connections', 'connected_accounts'])
    await fetch(`${mocks[1]?.url}/api/v1/${path}`, { headers: { authorization: 'Bearer dev-token' } });
  const urls = mocks.map(({ url }) => url);
  const lines = (await runCommand(['coverage', '--json', ...urls])).out.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).operations.seen)).toEqual([0, 2]);
  const { code, out, err } = await runCommand(['coverage'], { env: { CA_MOCK_URL: urls[1] ?? '' } });
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^listConnections +1 /m);
  const low = await runCommand(['coverage', '--min-coverage', '1', ...urls]);
  expect([low.code, low.err]).toEqual([1, `${urls[0]}: 0% is less than --min-coverage 1.\n`]);
  const guarded = await start({ controlToken: 'sesame' });
  expect((await runCommand(['coverage', ...TOKEN, guarded.url])).code).toBe(0);
});
