/** Writes files that users name. */
import { writeFileSync } from 'node:fs';
import { MockError } from './ask.ts';

/** Writes a file. @param flag `wx` refuses to replace a file. @throws MockError that says why it cannot be written */
export const writeText = (file: string, text: string, flag: 'w' | 'wx' = 'w'): void => {
  try {
    writeFileSync(file, text, { flag });
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException; // `writeFileSync` throws errors with a code
    const { [code]: [message, hint] = ['cannot be written', `Name another file (${code}).`] } = REASONS;
    throw new MockError({ code: 'INVALID_ARGUMENT', message: `${file} ${message}.`, hint }, { cause });
  }
};

const REASONS: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  EEXIST: ['already exists and was not changed', 'Name another file.'],
  ENOENT: ['cannot be written: its folder does not exist', 'Create the folder first.'],
  EISDIR: ['cannot be written: it is a folder', 'Name a file in that folder.'],
};
