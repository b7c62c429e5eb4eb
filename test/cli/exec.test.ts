/** `ca-mock exec` in this process: its exit code, and what the command gets and leaves. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { runCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';

const folder = temporaryFolder();

/** Runs a script with Node as the command of `exec`. */
const exec = (flags: readonly string[], script: string) =>
  runCommand(['exec', '--coverage=off', ...flags, '--', process.execPath, '-e', script], {
    env: { PATH: process.env.PATH ?? '' },
  });

const CALL = `
  const { CA_MOCK_URL: url, CA_MOCK_ACCESS_TOKEN: token } = process.env;
  fetch(url + '/api/v1/connections', { headers: { authorization: 'Bearer ' + token } })`;

test.each<[string, readonly string[], string, number]>([
  ['the code of the command', [], 'process.exit(7)', 7],
  ['128 and the number of the signal that ended it', [], 'process.kill(process.pid, "SIGKILL")', 137],
  ['1 if a gate finds something', ['--min-coverage=90'], '', 1],
  ['the code of the command even if a gate finds something', ['--min-coverage=90'], 'process.exit(3)', 3],
  ['0 if all is well', ['--min-coverage=0'], '', 0],
])('exec exits with %s', async (_what, flags, script, code) => {
  expect((await exec(flags, script)).code).toBe(code);
});

test('exec writes nothing to standard output; the archive has the calls with their environments, though the command failed', async () => {
  const [journal, used] = [join(folder, 'calls.har'), join(folder, 'used.json')];
  const { out, err } = await exec(
    [`--journal=${journal}`, `--used=${used}`],
    `${CALL}.then(() => process.exit(2))`,
  );
  expect([out, err]).toEqual(['', `${used} was not written, because the run failed.\n`]);
  const { log } = JSON.parse(readFileSync(journal, 'utf8'));
  expect(log).toMatchObject({ version: '1.2', entries: [{ _environment: 'development' }] });
});

test.each([
  ['--journal', '.', 'is a folder'],
  ['--pact', 'nowhere/pact.json', 'its folder does not exist'],
  ['--used', 'nowhere/used.json', 'its folder does not exist'],
])('%s %s is refused before the command runs', async (flag, file, reason) => {
  const ran = join(folder, 'ran');
  const { code, err } = await exec([flag, file], `require('node:fs').writeFileSync('${ran}', '')`);
  expect([code, err, existsSync(ran)]).toEqual([1, expect.stringContaining(reason), false]);
});
