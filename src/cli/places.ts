/** Where the command line finds scenarios that nobody named. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../contract/package-root.ts';

/** The folder of scenarios that comes with the package. */
export const packageFixtures = (): string => join(packageRoot(), 'fixtures');

/** The scenario of one's own that `ca-mock` takes up in a folder. */
const LOCAL_SCENARIOS = ['ca-mock.yaml', 'ca-mock.yml', 'ca-mock.json'];

/** Those of them that there are. */
export const localScenarios = (folder: string): readonly string[] =>
  LOCAL_SCENARIOS.filter((file) => existsSync(join(folder, file)));
