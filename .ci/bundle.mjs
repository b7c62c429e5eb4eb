/** What the bundles for the package, for tests and for `npm run dev` have in common. */
import { readFile } from 'node:fs/promises';

// Short lines, since Node prints the whole line that causes an error.
export const TARGET = { platform: 'node', target: 'node20', logLevel: 'warning', lineLimit: 120 };

/** For code in CommonJS: replaces `import.meta.url`, which is empty there. */
export const OWN_ADDRESS = {
  define: { 'import.meta.url': 'importMetaUrl' },
  banner: "const importMetaUrl=require('node:url').pathToFileURL(__filename).href;",
};

/** Modules that the mock never runs, to replace by an empty module: loading them would take a third of the start. */
const UNUSED = [
  /iconv-lite.encodings.(?:sbcs|dbcs)-data(?:-generated)?[.]js$/, // bodies are UTF-8; any other charset is refused
  /multer.index[.]js$/, // the validator's file uploads are turned off
  /js-yaml.index[.]js$/, // the validator is given parsed documents
];

export const isLeftOut = (path) => UNUSED.some((pattern) => pattern.test(path));

/** The table of media types. Express needs only the types of files that the mock serves. */
const MEDIA_TYPES = /mime-db.db[.]json$/;
const SERVED = ['html', 'js', 'json', 'css', 'svg', 'txt', 'yaml'];

const servedTypes = async (path) => {
  const types = Object.entries(JSON.parse(await readFile(path, 'utf8')));
  const served = types.filter(([, { extensions = [] }]) => extensions.some((one) => SERVED.includes(one)));
  return { contents: JSON.stringify(Object.fromEntries(served)), loader: 'json' };
};

/**
 * Leaves out what never runs. The build fails if a pattern matches no module, since the package would grow unnoticed when
 * a package moves its files.
 * @type {import('esbuild').Plugin}
 */
export const leaveOut = {
  name: 'leave-out',
  setup(build) {
    const unmatched = new Set([...UNUSED, MEDIA_TYPES]);
    build.onLoad({ filter: /./, namespace: 'file' }, ({ path }) => {
      const pattern = [...UNUSED, MEDIA_TYPES].find((one) => one.test(path));
      unmatched.delete(pattern);
      if (pattern === MEDIA_TYPES) return servedTypes(path);
      return pattern && { contents: 'module.exports = {};' };
    });
    build.onEnd(() => ({
      errors: [...unmatched].map((pattern) => ({
        text: `No module matches ${pattern} of .ci/bundle.mjs. Correct the pattern, or delete it if the module is gone.`,
      })),
    }));
  },
};
