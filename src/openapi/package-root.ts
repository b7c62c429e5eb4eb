import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The package's own folder, where `openapi.yaml` and `fixtures/` are: the nearest one above this module that
 * holds the contract. The sources and the built files lie at different depths, so there is no counting of `../`.
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

/** This package's version, as its `package.json` has it. */
export const packageVersion = (): string => {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
    version: string; // the package's own file
  };
  return version;
};
