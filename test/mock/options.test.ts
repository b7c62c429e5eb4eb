/** The flags of the command line and the options of the library are one table. */
import { expect, test } from '@jest/globals';
import { readArguments } from '../../src/cli/arguments.ts';
import { flagName } from '../../src/mock/option.ts';
import { requireMockOptions, requireStartOptions, START_OPTIONS } from '../../src/mock/options.ts';

/** Each option accepts some of these texts. */
const TEXTS = [
  ...['0', '1', '-1', '1.5', '4294967295', '4294967296', '1e3', 'random', 'true', 'on', 'approve', 'deny'],
  ...['report', 'pretty', 'silent', 'default', '2026-01-15T09:30:00Z', '1969-12-31', 'noon', 'http://h', 'h'],
  ...['http://h/?q=1', 'https://h/a#b', 'ftp://h', 'a b', 'é', '', 'http://u:p@h'],
];

const isRefused = (run: () => unknown, by: RegExp): boolean => {
  try {
    run();
    return false;
  } catch (error) {
    return by.test(String(error));
  }
};

test.each(Object.keys(START_OPTIONS))('the library option %s accepts the same values as the flag', (name) => {
  for (const text of TEXTS) {
    const option = START_OPTIONS[name as keyof typeof START_OPTIONS]; // a key of this table
    const table = { [name]: { ...option, needs: name } }; // needs no other option
    const read = () => readArguments([`${flagName(name)}=${text}`], table, {}).values;
    const isWrong = isRefused(read, /does not accept/);
    const value = isWrong ? text : Reflect.get(read(), name);
    expect({
      text,
      isWrong: isRefused(() => requireStartOptions({ [name]: value }), / must be /),
    }).toEqual({
      text,
      isWrong,
    });
  }
});

test('createMock refuses an option for listening, and the message names startMock', () => {
  const options: object = { port: 0 };
  expect(() => requireMockOptions(options)).toThrow(
    'There is no option port. Only startMock has this option',
  );
});
