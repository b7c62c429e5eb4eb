/** A copy of the repository in a folder of its own, where a mutant can do no harm. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Mutant, mutate } from './mutant.ts';

export interface Copy {
  readonly root: string;
  /** Breaks the copy for as long as the work takes. @throws Error if the mutant is out of step with the source */
  with<Result>(mutant: Mutant, work: () => Promise<Result>): Promise<Result>;
  remove(): void;
}

const PARTS = ['.ci', 'src', 'test', 'fixtures', 'openapi.yaml', 'package.json'];

export const makeCopy = (original: string): Copy => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'mutant-')));
  for (const part of PARTS) cpSync(join(original, part), join(root, part), { recursive: true });
  // Package by package, so that what a run of tests builds below node_modules is the copy's own.
  mkdirSync(join(root, 'node_modules'));
  for (const name of readdirSync(join(original, 'node_modules')))
    if (name !== '.cache')
      symlinkSync(join(original, 'node_modules', name), join(root, 'node_modules', name));
  return {
    root,
    with: async (mutant, work) => {
      const file = join(root, mutant.file);
      const sound = readFileSync(file, 'utf8');
      writeFileSync(file, mutate(sound, mutant));
      try {
        return await work();
      } finally {
        writeFileSync(file, sound);
      }
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
};
