/**
 * What V8 makes of a bundle's code, kept beside it for the next start (src/cli/compiled.ts). V8 compiles a function when
 * it is first called; so the program is started and called once, and all of it that a start needs is in what is kept.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** @param path of a bundle that exports the start command */
export const writeCodeCache = async (path) => {
  const code = readFileSync(path);
  const bundle = pathToFileURL(resolve(path));
  const script = new Script(code.toString(), { filename: resolve(path) });
  const module = { exports: {} };
  script.runInThisContext()(createRequire(bundle), module, bundle.href);
  await startOnce(module.exports.start);
  const kept = script.createCachedData();
  const head = Buffer.alloc(8);
  head.writeUInt32LE(crc32(code), 0);
  head.writeUInt32LE(crc32(kept), 4);
  writeFileSync(`${path}.cache`, Buffer.concat([head, kept]));
};

/** Starts the default scenario on a free port, makes the first call, and stops. */
const startOnce = async (start) => {
  let stop;
  const once = (_signal, listener) => {
    stop = listener;
  };
  let tellUrl;
  const ready = new Promise((resolve) => {
    tellUrl = resolve;
  });
  const stdout = { write: (text) => tellUrl(/http:[^\s"]+/.exec(text)[0]) };
  const program = { env: {}, stdout, stderr: process.stderr, cwd: () => import.meta.dirname, once };
  const ended = start(['--port', '0', '--scenario', 'default', '--log', 'silent'], program);
  const url = await Promise.race([ready, ended]);
  const headers = { authorization: 'Bearer dev-token' };
  const { status } = await fetch(`${url}/api/v1/connected_accounts`, { headers });
  stop();
  await ended;
  if (status !== 200) throw new Error(`The built program answers its first call with ${status}.`);
};
