/** Reads files that users name. Anything but a regular file is refused unread: opening a pipe waits for its writer. */
import { readFileSync, statSync } from 'node:fs';

const MIB = 2 ** 20;

/** The largest size of most files, in MiB. */
export const LARGEST = 64;

/** @param most the largest size in MiB @returns the bytes, or why not, as the end of a sentence about the file */
export const readRegularFile = (
  file: string,
  most = LARGEST,
): { readonly bytes: Buffer } | { readonly problem: string } => {
  try {
    const stats = statSync(file);
    if (stats.isDirectory()) return { problem: 'is a folder' };
    if (!stats.isFile()) return { problem: 'is not a regular file' };
    if (stats.size > most * MIB) return { problem: `is larger than ${most} MiB` };
    return { bytes: readFileSync(file) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // the cast is safe: the errors of `node:fs` have a `code`
    return { problem: `cannot be read (${code})` };
  }
};
