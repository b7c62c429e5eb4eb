/** What the build keeps of compiling the program: used where it fits, and never missed. */
import { isAscii } from 'node:buffer';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { cacheOf, loadCompiled } from '../../src/cli/compiled.ts';
import { buildProgram, type Program } from '../support/program.ts';

jest.setTimeout(30_000); // other processes, on a machine that may be busy

let program: Program;
let folder: string;
let bundle: URL;

beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program.remove());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ca mock é #1%20-'));
  bundle = pathToFileURL(join(folder, 'program.cjs'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const saying = (word: string): string => `(function (require, module) { module.exports = '${word}'; })`;

/** Compiles and runs, so that the inner function is kept too. */
const compile = (code: string): Buffer => {
  const script = new Script(code);
  script.runInThisContext()(undefined, {});
  return script.createCachedData();
};

const keep = (code: string, kept: Buffer): void => {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(crc32(code), 0);
  head.writeUInt32LE(crc32(kept), 4);
  writeFileSync(cacheOf(bundle), Buffer.concat([head, kept]));
};

const CODE = saying('written');
const OTHER = saying('another');

test('what was kept takes the place of compiling', () => {
  writeFileSync(bundle, CODE);
  keep(CODE, compile(OTHER)); // a lie that tells which of the two was run
  expect(loadCompiled(bundle)).toBe('another');
});

test.each([
  ['nothing', () => undefined],
  ['an empty file', () => writeFileSync(cacheOf(bundle), '')],
  ['what was made of other code of the same length', () => keep(OTHER, compile(OTHER))],
  [
    'a file that lost its end',
    () => {
      keep(CODE, compile(OTHER));
      writeFileSync(cacheOf(bundle), readFileSync(cacheOf(bundle)).subarray(0, -20));
    },
  ],
  [
    'a file with a wrong byte',
    () => {
      keep(CODE, compile(OTHER));
      writeFileSync(cacheOf(bundle), readFileSync(cacheOf(bundle)).fill(0xff, 100, 101));
    },
  ],
  ['what another version of V8 kept', () => keep(CODE, compile(OTHER).fill(0xff, 4, 8))],
])('with %s beside it, a bundle runs as it is written', (_what, write) => {
  writeFileSync(bundle, CODE);
  write();
  expect(loadCompiled(bundle)).toBe('written');
});

test('a bundle may require what its place can, and knows its address', () => {
  writeFileSync(
    bundle,
    "(function (require, module, url) { module.exports = [require('node:path').sep, url, 'é']; })",
  );
  expect(JSON.stringify(loadCompiled(bundle))).toBe(JSON.stringify(['/', bundle.href, 'é']));
});

test('a stack trace names the file of a bundle as a shell would, and the line in it', () => {
  writeFileSync(bundle, "(function (require, module) {\nmodule.exports = new Error('x').stack; })");
  expect(loadCompiled(bundle)).toContain(`${join(folder, 'program.cjs')}:2:`);
});

test('the built program starts without what was kept of it', async () => {
  rmSync(join(program.folder, 'cli/start.cjs.cache'));
  const { url, stop } = await program.serve(['--port', '0']);
  expect((await fetch(`${url}/keys`)).status).toBe(200);
  expect((await stop()).code).toBe(0);
});

test('the built program is written in ASCII, which is the quickest to read', () => {
  expect(isAscii(readFileSync(join(program.folder, 'cli/start.cjs')))).toBe(true);
});
