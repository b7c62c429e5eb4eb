/**
 * Runs the shell steps of the workflows in a clone. `npm publish` only tries, `gh` and `sudo` only look whether what they are
 * given is there, and jobs of actions alone, such as the image, have nothing to run. `package.long.ts` runs the action.
 */
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const WORKFLOWS = join(ROOT, '.github/workflows');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

interface Job {
  readonly strategy?: { readonly matrix: { readonly os?: readonly string[] } };
  readonly steps: readonly {
    readonly run?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly with?: { readonly file?: string };
  }[];
}

/** Every job of the workflows, as `release.yml package`. */
const jobs = readdirSync(WORKFLOWS).flatMap((file) =>
  Object.entries(parse(readFileSync(join(WORKFLOWS, file), 'utf8')).jobs as Record<string, Job>).map(
    ([name, job]) => [`${file} ${name}`, job] as const,
  ),
);

const commandsOf = ({ steps }: Job): readonly string[] => steps.flatMap(({ run: command }) => command ?? []);

/** Programs that stand in front of the real ones. `npm test` lists its files only, since tests run this test. */
const STAND_INS = {
  npm: `case $1 in
    ci) cp -al "$ROOT/node_modules" . || cp -a "$ROOT/node_modules" . ;;
    test) exec "$NPM" test -- --listTests ;;
    publish) test -n "$NODE_AUTH_TOKEN" && exec "$NPM" "$@" --dry-run --registry http://127.0.0.1:9 ;;
    *) exec "$NPM" "$@" ;;
  esac`,
  gh: 'test "$1 $2 $3" = "release create $GITHUB_REF_NAME" && test -n "$GH_TOKEN" && test -f "$4" && test -f "$5"',
  sudo: 'test "$1" = --preserve-env=PATH,CI && test -x "$2"',
};

let home: string;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'ca-mock-workflows-'));
  mkdirSync(join(home, 'bin'));
  for (const [name, code] of Object.entries(STAND_INS))
    writeFileSync(join(home, 'bin', name), `#!/usr/bin/env bash\n${code}\n`, { mode: 0o755 });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Runs the shell steps of a job in a clone, in order. Rejects with the output of a step that fails. */
const runJob = async (job: Job, tag: string): Promise<void> => {
  const clone = mkdtempSync(join(home, 'clone-'));
  await run('git', ['clone', '--quiet', '--local', ROOT, clone]);
  const { stdout: NPM } = await run('which', ['npm']);
  const env = {
    PATH: [join(home, 'bin'), process.env.PATH].join(delimiter),
    HOME: process.env.HOME,
    npm_config_fetch_retries: '0', // nothing answers where the stand-in publishes
    NPM: NPM.trim(),
    ROOT,
    GITHUB_REF_NAME: tag,
  };
  for (const { run: command, env: own } of job.steps) {
    if (command === undefined) continue;
    // The shell and the flags with which GitHub runs a step.
    await run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', command], {
      cwd: clone,
      env: { ...env, ...own },
    });
  }
};

const withCommands = jobs.filter(([, job]) => commandsOf(job).length > 0);

test.each(withCommands)('the shell steps of %s succeed', async (_name, job) => {
  await runJob(job, `v${version}`);
});

test('a tag that is not the version of the package is not released', async () => {
  const [[, job] = []] = withCommands.filter(([name]) => name === 'release.yml package');
  const steps = job?.steps.filter(({ run: command }) => command?.startsWith('test ')) ?? [];
  expect(steps).toHaveLength(1);
  await expect(runJob({ steps }, 'v0.0.1')).rejects.toMatchObject({ code: 1 });
});

test('what runs on Windows too is plain calls of npm, which its shell understands', () => {
  const everywhere = jobs.filter(([, { strategy }]) => strategy?.matrix.os?.includes('windows-latest'));
  expect(everywhere.flatMap(([, job]) => commandsOf(job))).toEqual(['npm ci', 'npm test']);
});

test('files that actions are given exist', () => {
  const given = jobs.flatMap(([, { steps }]) => steps.flatMap((step) => step.with?.file ?? []));
  expect(given).toEqual(['.github/Dockerfile']);
  for (const file of given) expect(existsSync(join(ROOT, file))).toBe(true);
});
