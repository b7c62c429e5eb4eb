/** For .ci/build.mjs: builds each source beside its mutants, so that one build has them all. `MUTANT` is the number of the one to load. */
import { readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import { type Mutant, mutate, readMutants } from './mutants.ts';

const mutants = readMutants('.');

/** A mutant that does not fit changes nothing, so that it survives. */
const contentsOf = (source: string, mutant: Mutant | undefined): string => {
  try {
    return mutant ? mutate(source, mutant) : source;
  } catch {
    return source;
  }
};

const plugin: Plugin = {
  name: 'mutants',
  setup: ({ onLoad, esbuild }) => {
    const namesOf = async (contents: string): Promise<readonly string[]> => {
      const stdin = { contents, loader: 'ts' } as const;
      const { metafile } = await esbuild.build({ stdin, format: 'esm', metafile: true, write: false });
      return Object.values(metafile.outputs).flatMap(({ exports }) => exports);
    };
    onLoad({ filter: /\.ts$/ }, async ({ path, suffix }) => {
      const numbers = [...mutants.keys()].filter((number) => mutants[number]?.file === relative('.', path));
      if (numbers.length === 0) return undefined;
      const source = readFileSync(path, 'utf8');
      const mutant = mutants[Number(suffix.slice('?m'.length))];
      if (suffix !== '') return { contents: contentsOf(source, mutant), loader: 'ts' };
      const variants = [...numbers.map((number) => `m${number}`), 'sound'];
      const lines = variants.map((name) => `import * as ${name} from './${basename(path)}?${name}';`);
      const names = await namesOf(source);
      const chosen = `{ ${variants} }['m' + process.env.MUTANT] ?? sound`;
      return { contents: `${lines.join('\n')}\nexport const { ${names} } = ${chosen};`, loader: 'js' };
    });
  },
};
export default plugin;
