/** Control calls in process follow each other without a pause in which Node could remove the listeners of each call. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { builtProgram } from '../../support/program.ts';

test('a hundred control calls in a row cause no warning', () => {
  const script = `
    import { createMock } from ${JSON.stringify(join(builtProgram().folder, 'index.js'))};
    const mock = createMock({ log: 'silent' });
    for (let call = 0; call < 100; call += 1) await mock.fetch('/_mock/environments/development/clock');
    await mock.close();`;
  // Runs in a process of its own, whose warnings go to standard error and not to the test runner.
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script]);
  expect(`${stdout}${stderr}`).toBe('');
});
