/** A copy of the repository in a folder of its own, where a mutant can do no harm. */
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Mutant, mutate } from './mutant.ts';

export interface Copy {
  readonly root: string;
  /** Breaks the copy for as long as the work takes. @throws Error if the mutant is out of step with the source */
  with<Result>(mutant: Mutant, work: () => Promise<Result>): Promise<Result>;
  remove(): void;
}

const PARTS = ['src', 'test', 'fixtures', 'openapi.yaml', 'package.json'];

export const makeCopy = (original: string): Copy => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'mutant-')));
  for (const part of PARTS) cpSync(join(original, part), join(root, part), { recursive: true });
  symlinkSync(join(original, 'node_modules'), join(root, 'node_modules'));
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
