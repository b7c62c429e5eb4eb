/** Which files are watched. What a change means is tested with a mock, in `test/library/watch.test.ts`. */
import { once } from 'node:events';
import { watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { nextTurn } from '../../../src/engine/core/turns.ts';
import { watchFiles } from '../../../src/engine/scenario/watch.ts';
import { temporaryFolder } from '../../support/folder.ts';

test('a file in another folder that a change adds is watched from then on', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  const [first, added] = [join(temporaryFolder(), 'a.yaml'), join(temporaryFolder(), 'b.yaml')];
  for (const file of [first, added]) writeFileSync(file, '');
  const onChange = jest.fn(() => [first, added]);
  const stop = watchFiles([first], onChange);
  /** Writes a file, and lets the pause for further changes pass as soon as anybody can know of it. */
  const write = async (file: string): Promise<void> => {
    const witness = watch(file);
    const seen = once(witness, 'change');
    writeFileSync(file, 'changed');
    await seen;
    witness.close();
    await nextTurn();
    jest.runOnlyPendingTimers();
  };
  const calls: number[] = [];
  for (const file of [first, added]) {
    await write(file);
    calls.push(onChange.mock.calls.length);
  }
  stop();
  jest.useRealTimers();
  expect(calls).toEqual([1, 2]);
});
