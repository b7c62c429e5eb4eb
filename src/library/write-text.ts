/** Writes files to paths that users choose. */
import { writeFileSync } from 'node:fs';
import { MockError } from './ask.ts';

/** Writes a file. @param flag `wx` does not replace an existing file @throws MockError if the file cannot be written */
export const writeText = (file: string, text: string, flag: 'w' | 'wx' = 'w'): void => {
  try {
    writeFileSync(file, text, { flag });
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException; // the cast is safe: every error of `writeFileSync` has a code
    const { [code]: [message, hint] = [`cannot be written (${code})`, 'Choose another file.'] } = REASONS;
    throw new MockError({ code: 'INVALID_ARGUMENT', message: `${file} ${message}.`, hint }, { cause });
  }
};

const REASONS: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  EEXIST: ['already exists and was not changed', 'Choose another file.'],
  ENOENT: ['cannot be written: its folder does not exist', 'Create the folder first.'],
  EISDIR: ['cannot be written: it is a folder', 'Choose a file in that folder.'],
};
