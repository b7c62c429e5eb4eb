/** Leaves out parts of packages that the mock never runs. Loading them would take a third of the start. */
import { readFile } from 'node:fs/promises';

/** Modules to replace by an empty module. */
const UNUSED = [
  /iconv-lite.encodings.(?:sbcs|dbcs)-data(?:-generated)?[.]js$/, // bodies are UTF-8; any other charset is refused
  /multer.index[.]js$/, // the validator's file uploads are turned off
  /js-yaml.index[.]js$/, // the validator is given parsed documents
];

/** The extensions of the files that the mock serves. Express needs the media types of these only. */
const SERVED = ['html', 'js', 'json', 'css', 'svg', 'txt', 'yaml'];

/** @type {import('esbuild').Plugin} */
export const leaveOut = {
  name: 'leave-out',
  setup(build) {
    build.onLoad({ filter: /./, namespace: 'file' }, async ({ path }) => {
      if (UNUSED.some((pattern) => pattern.test(path))) return { contents: 'module.exports = {};' };
      if (!/mime-db.db[.]json$/.test(path)) return undefined;
      const types = Object.entries(JSON.parse(await readFile(path, 'utf8')));
      const served = types.filter(([, { extensions = [] }]) =>
        extensions.some((one) => SERVED.includes(one)),
      );
      return { contents: JSON.stringify(Object.fromEntries(served)), loader: 'json' };
    });
  },
};
