import { execFile } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { makeProject } from '../support/pages.ts';
import { builtProgram } from '../support/program.ts';

const exec = promisify(execFile);
const EXAMPLES = resolve('test/examples');
const JEST = resolve('node_modules/jest/bin/jest.js');

const project = makeProject(builtProgram());
afterAll(() => rmSync(project, { recursive: true, force: true }));

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
