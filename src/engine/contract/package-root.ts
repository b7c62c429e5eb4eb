/** Files of this package. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** This package's folder: the nearest folder with `openapi.yaml` above this module, which is in `src` or in `dist`. */
export const packageRoot = (): string => {
  let folder = new URL('./', import.meta.url);
  while (!existsSync(new URL('openapi.yaml', folder))) {
    const parent = new URL('../', folder);
    if (parent.href === folder.href)
      throw new Error(`openapi.yaml is not in any folder above ${import.meta.url}`);
    folder = parent;
  }
  return fileURLToPath(folder);
};

export const packageVersion = (): string =>
  JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')).version;

let built: ReadonlyMap<string, string> | undefined;

/**
 * The parsed value of a YAML text. Undefined unless a file of this package had exactly this text at the last build. The
 * build stores the values as JSON, since parsing YAML would take most of the start-up time.
 */
export const builtValue = (text: string): unknown => {
  built ??= readBuilt();
  const json = built.get(createHash('sha256').update(text).digest('base64')); // the key in `.ci/build.mjs`
  return json === undefined ? undefined : JSON.parse(json);
};

const readBuilt = (): ReadonlyMap<string, string> => {
  // A build that is not in `dist`, such as the tests' build, has a file of its own above this module's chunk.
  const own = fileURLToPath(new URL('../yaml.json', import.meta.url));
  const file = existsSync(own) ? own : join(packageRoot(), 'dist/yaml.json');
  const pairs = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  return new Map(pairs as [string, string][]); // the cast is safe: `.ci/build.mjs` writes the pairs
};
