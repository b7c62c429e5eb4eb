import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The package's own folder, with `openapi.yaml` and `fixtures/`: the nearest folder above this module that holds the
 * contract. Counting `../` would not work, since sources and built files lie at different depths.
 */
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

/** The version in the package's `package.json`. */
export const packageVersion = (): string => {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
    version: string; // the package's own file has a version
  };
  return version;
};
