/**
 * Runs a bundle of CommonJS with what V8 kept of compiling it when it was built: on the same Node, most of the time that
 * a start takes is saved. V8 itself refuses what another version kept; what is missing, damaged or made of other code is
 * left aside here. Then all is compiled as ever.
 */
import { isAscii } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** A bundle as the build writes it: one expression, a function of what a CommonJS module is given. */
type Bundle = (require: NodeJS.Require, module: { exports: unknown }, importMetaUrl: string) => void;

/** Where the build keeps what belongs to a bundle. */
export const cacheOf = (bundle: URL): URL => new URL(`${bundle.href}.cache`);

/** The exports of a bundle. @throws Error if there is none */
export const loadCompiled = (bundle: URL): unknown => {
  const code = readFileSync(bundle);
  const cachedData = readKept(cacheOf(bundle), code);
  const script = new Script(textOf(code), {
    filename: fileURLToPath(bundle),
    ...(cachedData && { cachedData }),
  });
  const module = { exports: {} };
  const run = script.runInThisContext() as Bundle; // what the build writes
  run(createRequire(bundle), module, bundle.href);
  return module.exports;
};

/** Quicker than UTF-8 for what the build writes, and the same. */
const textOf = (code: Buffer): string => code.toString(isAscii(code) ? 'latin1' : 'utf8');

/** Two checksums come first, of the code and of what follows: V8 looks at no more than the length of the one. */
const HEAD = 8;

const readKept = (file: URL, code: Buffer): Buffer | undefined => {
  const held = readIfThere(file);
  if (!held || held.length <= HEAD) return undefined;
  const kept = held.subarray(HEAD);
  const isWhole = held.readUInt32LE(0) === crc32(code) && held.readUInt32LE(4) === crc32(kept);
  return isWhole ? kept : undefined;
};

const readIfThere = (file: URL): Buffer | undefined => {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
};
