// With CA_MOCK_KEEP, the failure of a test ends with the address of its environment in the console.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';

const { status, stdout } = spawnSync('ca-mock', ['exec', '--', 'mvn', '--quiet', '--batch-mode', 'test'], {
  env: { ...process.env, FAILS: '1', CA_MOCK_KEEP: 'failed' },
  encoding: 'utf8',
});
assert.equal(status, 1, stdout);
assert.match(stdout, /It failed\.\s+The environment was kept: http\S+\/_mock\/#\/development-/);
