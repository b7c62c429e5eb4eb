/** Many calls of the control plane in a row, which in process leave no pause in which they could be cleared away. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { builtProgram } from '../support/program.ts';

test('a hundred calls in a row cause no warning', () => {
  const script = `
    import { createMock } from ${JSON.stringify(join(builtProgram().folder, 'index.js'))};
    const mock = createMock({ log: 'silent' });
    for (let call = 0; call < 100; call += 1) await mock.fetch('/_mock/environments/development/clock');
    await mock.close();`;
  // In a process of its own: what it warns of goes to standard error, past every listener of a test runner.
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script]);
  expect(`${stdout}${stderr}`).toBe('');
});
