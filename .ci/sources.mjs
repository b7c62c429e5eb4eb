/** Loads sources into a script, since Node 20 does not read TypeScript. */
import { build } from 'esbuild';

/** Bundles in memory. @param contents exports of sources, such as `export { SECTIONS } from './src/...'` */
export const importSources = async (contents) => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: '.' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    logLevel: 'warning',
    // A module in memory has no path, so packages are looked up from this file.
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(import.meta.url)});`,
    },
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
};
