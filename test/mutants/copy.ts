/** A copy of the repository in a folder of its own, where a mutant can do no harm. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
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
  /** Where `build` builds the package. */
  readonly built: string;
  /** Builds the package, unless it is built as the copy is now. @throws Error if it does not compile */
  build(): Promise<void>;
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
  const built = join(root, 'node_modules/.cache/ca-mock/mutant');
  let builder: ReturnType<typeof startBuilder> | undefined;
  let isBuilt = false;
  return {
    root,
    built,
    build: async () => {
      if (isBuilt) return;
      builder ??= startBuilder(root, built);
      await builder.build();
      isBuilt = true;
    },
    with: async (mutant, work) => {
      const file = join(root, mutant.file);
      const sound = readFileSync(file, 'utf8');
      writeFileSync(file, mutate(sound, mutant));
      isBuilt = false;
      try {
        return await work();
      } finally {
        writeFileSync(file, sound);
        isBuilt = false;
      }
    },
    remove: () => {
      builder?.end();
      rmSync(root, { recursive: true, force: true });
    },
  };
};

/** Starts a process that builds a copy into a folder each time it is asked to. */
const startBuilder = (root: string, folder: string) => {
  const child = fork(join(root, 'test/mutants/builder.mjs'), [folder], { cwd: root });
  const ended = once(child, 'exit').then(() => ['The builder has ended.']);
  const success = async (): Promise<void> => {
    const [problem] = await Promise.race([once(child, 'message'), ended]);
    if (problem !== '') throw new Error(String(problem));
  };
  const started = success();
  return {
    build: async () => {
      await started;
      child.send('build');
      await success();
    },
    end: () => child.disconnect(),
  };
};
