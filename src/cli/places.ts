/** Where the command line finds scenarios that nobody named. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../openapi/package-root.ts';
import { OWN_FILES } from '../scenario/files.ts';

/** The folder of scenarios that comes with the package. */
export const packageFixtures = (): string => join(packageRoot(), 'fixtures');

/** The scenarios of one's own in a folder, the one that `ca-mock` takes up first. */
export const localScenarios = (folder: string): readonly string[] =>
  OWN_FILES.filter((file) => existsSync(join(folder, file)));
