import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { builtProgram, type Program } from '../support/program.ts';

jest.setTimeout(30_000); // other processes, on a machine that may be busy

const exec = promisify(execFile);
const EXAMPLES = resolve('test/examples');
const JEST = resolve('node_modules/jest/bin/jest.js');

let program: Program;
let project: string;

/** A project of someone else, which has the built package among its own. */
beforeAll(() => {
  program = builtProgram();
  project = mkdtempSync(join(tmpdir(), 'ca-mock-'));
  const installed = join(project, 'node_modules/connected-accounts-mock');
  mkdirSync(installed, { recursive: true });
  symlinkSync(program.folder, join(installed, 'dist'));
  cpSync('package.json', join(installed, 'package.json'));
  mkdirSync(join(project, 'node_modules/.bin'));
  symlinkSync(join(program.folder, 'cli.js'), join(project, 'node_modules/.bin/ca-mock'));
  writeFileSync(join(project, 'package.json'), '{ "name": "someone-else", "private": true }\n');
});
afterAll(async () => {
  await program.stop();
  rmSync(project, { recursive: true, force: true });
});

test.each([
  'jest.test.cjs',
  'jest.test.mjs',
])('the test suite of %s passes in a separate project', async (file) => {
  cpSync(join(EXAMPLES, file), join(project, file));
  const flags = ['--disable-warning=ExperimentalWarning', '--experimental-vm-modules'];
  const run = [...flags, JEST, '--rootDir', project, '--testMatch', `**/${file}`, '--json'];
  const { stdout } = await exec(process.execPath, run, { cwd: project });
  expect(JSON.parse(stdout)).toMatchObject({ success: true, numTotalTestSuites: 1 });
});

test('the pipeline runs a command against a mock, and prints the coverage', async () => {
  const call = 'curl --fail "$MOCK_URL/api/v1/connections" -H "Authorization: Bearer dev-token"';
  const { stdout } = await exec(join(EXAMPLES, 'ci-pipeline.sh'), ['sh', '-c', call], { cwd: project });
  expect(stdout).toContain('"connections":[');
  expect(stdout).toContain('listConnections');
});

test('the pipeline fails when the command fails, or when coverage is too low', async () => {
  const run = (args: readonly string[], env = {}) =>
    exec(join(EXAMPLES, 'ci-pipeline.sh'), args, { cwd: project, env: { ...process.env, ...env } });
  await expect(run(['false'])).rejects.toMatchObject({ code: 1 });
  await expect(run(['true'], { MINIMUM: '80' })).rejects.toMatchObject({ code: 22 });
});

test('examples use the right names of the command and the package', () => {
  const { name, bin } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(name).toBe('connected-accounts-mock');
  expect(Object.keys(bin)).toEqual(['ca-mock']);
});
