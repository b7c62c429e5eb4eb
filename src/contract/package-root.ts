import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The package's own folder, where `openapi.yaml` and `fixtures/` are: the nearest one above this module that
 * holds the contract. The sources and the built files lie at different depths, so nobody counts `../`.
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
