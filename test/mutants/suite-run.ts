/** The cases that cite a rule, run against the server of a copy. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { runSuite } from '../../src/verify/run.ts';
import type { Area } from '../../src/verify/suite.ts';
import type { Copy } from './copy.ts';

/** Names of the cases that fail, inferred ones included. @throws Error if the server does not start */
export const failingCases = async (copy: Copy, suite: readonly Area[]): Promise<readonly string[]> => {
  const { child, url } = await startCopy(copy);
  try {
    const { outcomes } = await runSuite({
      baseUrl: url,
      clientId: 'dev-client',
      clientSecret: 'dev-secret',
      organizationId: 'org_100000000000000001',
      userId: 'usr_100000000000000005',
      externalId: 'ext-barbara',
      write: true,
      inferred: true,
      suite,
    });
    return outcomes.filter(({ result }) => result === 'failed').map(({ case: { name } }) => name);
  } finally {
    child.kill('SIGKILL');
  }
};

const PROGRAM = `
  import { startMock } from './src/index.ts';
  const { url } = await startMock({ port: 0, log: 'silent', scenario: 'default' });
  console.log(url);`;

/** From sources alone, which is how a mutant gets in; the contract and the fixtures are those of the copy. */
const startCopy = async ({ root }: Copy): Promise<{ child: ChildProcess; url: string }> => {
  const outfile = join(root, 'server.mjs');
  await build({
    stdin: { contents: PROGRAM, resolveDir: root, loader: 'ts' },
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outfile,
    logLevel: 'silent',
  });
  const child = spawn(process.execPath, [outfile], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await new Promise<string>((ready, failed) => {
    child.once('exit', () => failed(new Error('The broken server does not start, so nothing can be seen.')));
    createInterface({ input: child.stdout }).once('line', ready);
  });
  return { child, url };
};
