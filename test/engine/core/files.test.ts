import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readRegularFile } from '../../../src/engine/core/files.ts';
import { folder, program } from '../../cli/program.ts';
import { makeFifo } from '../../support/folder.ts';

const fifo = makeFifo();

test('only regular files up to a size are read, and a pipe without a writer is refused at once', () => {
  const small = join(folder, 'small');
  writeFileSync(small, 'text');
  expect(readRegularFile(small)).toEqual({ bytes: Buffer.from('text') });
  const large = join(folder, 'large');
  writeFileSync(large, '');
  truncateSync(large, 2 ** 20 + 1);
  expect(readRegularFile(large, 1)).toEqual({ problem: 'is larger than 1 MiB' });
  expect(readRegularFile(fifo)).toEqual({ problem: 'is not a regular file' });
  expect(readRegularFile(folder)).toEqual({ problem: 'is a folder' });
  expect(readRegularFile(join(folder, 'none'))).toEqual({ problem: 'cannot be read (ENOENT)' });
});

test.each([
  [['--scenario', fifo]],
  [['--save', fifo]],
  [['--tls-cert', fifo, '--tls-key', fifo]],
  [['--grpc-descriptors', fifo]],
  [['validate', fifo]],
  [['list', '--grpc', '--grpc-descriptors', fifo]],
  [['exec', '--pact', fifo, '--', 'true']],
  [['exec', '--pact', fifo, '--pact-check', '--', 'true']],
])('%j with a pipe ends with a message instead of waiting for a writer', async (args) => {
  const { code, stdout, stderr } = await program.run(
    args.includes('exec') || !args[0]?.startsWith('-') ? args : ['-p', '0', ...args],
  );
  expect(code).not.toBe(0);
  expect(stdout + stderr).toContain('is not a regular file');
});
