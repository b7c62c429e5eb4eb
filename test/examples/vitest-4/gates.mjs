/** A gate that finds something ends Vitest with another code than 0, and a run that fails keeps an earlier record. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const run = (variables) => {
  const { status, stdout, stderr } = spawnSync('vitest', ['run'], {
    cwd: 'gates',
    env: { ...process.env, NO_COLOR: '1', ...variables },
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
};

const check = (variables, status, ...words) => {
  const found = run(variables);
  assert.equal(
    found.status,
    status,
    `${JSON.stringify(variables)} ended with ${found.status}:\n${found.said}`,
  );
  for (const word of words) assert.ok(found.said.includes(word), `${word} is missing in:\n${found.said}`);
  return found.said;
};

check({ CA_MOCK_PACT: 'pact.json', CA_MOCK_SCENARO: 'x' }, 0, 'Nothing reads the variable CA_MOCK_SCENARO.');
check({ CA_MOCK_PACT: 'pact.json', CA_MOCK_PACT_CHECK: '1' }, 0);
const fresh = { CA_MOCK_PACT: 'fresh.json', CA_MOCK_PACT_CHECK: '1', CA_MOCK_MIN_COVERAGE: '90' };
check(fresh, 1, 'is not what this run relied on', 'less than the minimum of 90%');
assert.equal(existsSync('gates/fresh.json'), false);
check({ CA_MOCK_PACT: 'none/pact.json' }, 1, 'its folder does not exist');
check({ OTHER: 'empty' }, 1, 'the plugins of two have different options');
check({ OPTION: 'loog' }, 1, 'There is no option loog. Did you mean "log"?');
// A failed run keeps the record, a failed matcher shows its line, and a kept environment its address.
const said = check(
  { CA_MOCK_PACT: 'pact.json', CA_MOCK_KEEP: 'failed', FAILS: '1' },
  1,
  'pact.json was not written, because the run failed.',
  'one.test.js:7:21',
  '/_mock/#/development-',
);
// A failure names its own environment alone, and a test that must fail keeps none.
assert.doesNotMatch(said, /kept: \S+\s+The environment was kept/);
assert.doesNotMatch(said, /stderr .* fails as it must/);
console.log('The gates hold.');
