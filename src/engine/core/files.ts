/** Reads files that users name. Anything but a regular file is refused unread: opening a pipe waits for its writer. */
import { readFileSync, statSync } from 'node:fs';

/** The largest size of a file, in MiB. */
export const LARGEST = 64;

/** @returns the bytes, or why not, as the end of a sentence about the file */
export const readRegularFile = (file: string): { readonly bytes: Buffer } | { readonly problem: string } => {
  try {
    const stats = statSync(file);
    if (stats.isDirectory()) return { problem: 'is a folder' };
    if (!stats.isFile()) return { problem: 'is not a regular file' };
    if (stats.size > LARGEST * 2 ** 20) return { problem: `is larger than ${LARGEST} MiB` };
    return { bytes: readFileSync(file) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // the cast is safe: the errors of `node:fs` have a `code`
    return { problem: `cannot be read (${code})` };
  }
};
