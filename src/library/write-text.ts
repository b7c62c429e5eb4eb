/** Writes files to paths that users choose. */
import * as fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { invalid } from './given.ts';

/** Writes a file. @param flag `wx` does not replace an existing file @throws MockError if the file cannot be written */
export const writeText = (file: string, text: string, flag: 'w' | 'wx' = 'w'): void =>
  attempt(file, () => fs.writeFileSync(file, text, { flag }));

/** Writes a new file that takes the place of the old one, so that nobody reads half of it. @throws MockError as `writeText` */
export const replaceText = (file: string, text: string, mode?: number): void =>
  attempt(file, () => {
    const path = behindLinks(file);
    const unfinished = `${path}.new`;
    try {
      fs.rmSync(unfinished, { force: true }); // a killed process may have left it
      fs.writeFileSync(unfinished, text, { mode, flag: 'wx', flush: true });
      fs.renameSync(unfinished, path);
    } finally {
      fs.rmSync(unfinished, { force: true }); // after a failure: frees space if the disk is full
    }
  });

/** Tells before a long run what `replaceText` would tell after it. @throws MockError if the file cannot be replaced */
export const requireReplaceable = (file: string): void =>
  attempt(file, () => {
    const stats = fs.statSync(file, { throwIfNoEntry: false });
    if (stats && !stats.isFile()) throw { code: stats.isDirectory() ? 'EISDIR' : 'EINVAL' };
    if (stats) fs.accessSync(file, fs.constants.W_OK);
    fs.accessSync(`${dirname(behindLinks(file))}/.`, fs.constants.W_OK); // refuses a file in place of a folder
  });

/** The path in which links are followed, so that a link stays one. */
export const behindLinks = (file: string): string =>
  fs.existsSync(file)
    ? fs.realpathSync.native(file)
    : join(fs.realpathSync.native(dirname(file)), basename(file));

const attempt = (file: string, write: () => void): void => {
  try {
    write();
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException; // every error of a file has a code
    const [problem, hint] = REASONS[code] ?? [`cannot be written (${code})`, 'Choose another file.'];
    throw invalid(`${file} ${problem}.`, hint);
  }
};

const REASONS: Readonly<Record<string, readonly [problem: string, hint: string]>> = {
  EEXIST: ['already exists and was not changed', 'Choose another file.'],
  ENOENT: ['cannot be written: its folder does not exist', 'Create the folder first.'],
  ENOTDIR: ['cannot be written: it is below a file', 'Choose a file in a folder.'],
  EINVAL: ['cannot be written: it is not a regular file', 'Choose another file.'],
  EISDIR: ['cannot be written: it is a folder', 'Choose a file in that folder.'],
};
