import { expect, test } from '@jest/globals';
import { readArguments } from '../../src/cli/arguments.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { LIST_OPTIONS } from '../../src/cli/options.ts';
import { flagName, repeatable, text } from '../../src/library/option.ts';
import { START_OPTIONS } from '../../src/library/options.ts';

const read = (argv: readonly string[], env: Record<string, string> = {}) =>
  readArguments(argv, START_OPTIONS, env).values;

test('without flags and variables no option is set, so the scenario and the defaults decide', () => {
  expect(read([])).toEqual({});
});

test('the value of a flag becomes the value of its option', () => {
  const argv =
    '--port 0 --base-url https://mock.test/ --clock 2026-01-15T09:30:00Z --strict --seed random'.split(' ');
  const values = {
    port: 0,
    baseUrl: 'https://mock.test/',
    clock: '2026-01-15T09:30:00Z',
    strict: true,
    seed: 'random',
  };
  expect(read(argv)).toEqual(values);
});

test('a flag may be short or take its value after =, but cannot be given twice', () => {
  expect(read(['--port=2', '-s', 'empty'])).toEqual({ port: 2, scenario: 'empty' });
  expect(() => read(['-p', '1', '--port=2'])).toThrow('--port is given twice. Give it once.');
  expect(read(['-p=4999'])).toEqual({ port: 4999 });
  expect(read(['--control-token=-abc'])).toEqual({ controlToken: '-abc' });
  expect(() => read(['--control-token', '-abc'])).toThrow('--control-token needs a value');
  expect(read(['--port=65535', '--base-url=HTTP://Mock.test'])).toEqual({
    port: 65_535,
    baseUrl: 'HTTP://Mock.test',
  });
});

test('a flag overrides its environment variable, and an empty variable counts as not set', () => {
  expect(read(['--port', '1'], { CA_MOCK_PORT: '2' })).toEqual({ port: 1 });
  expect(read([], { CA_MOCK_PORT: '2', CA_MOCK_HOST: '' })).toEqual({ port: 2 });
  expect(read(['--strict=false'], { CA_MOCK_STRICT: 'on' })).toEqual({ strict: false });
  expect(read([], { CA_MOCK_WATCH: '1', CA_MOCK_STRICT: '0' })).toEqual({ watch: true, strict: false });
  expect(read([], { CA_MOCK_VALIDATE_RESPONSES: 'off' })).toEqual({ validateResponses: 'off' });
});

test('a repeatable flag keeps all its values, and its variable separates them by commas', () => {
  const paths = repeatable(text('PATH', 'files', 'none'));
  const readPaths = (argv: readonly string[], env = {}) => readArguments(argv, { paths }, env).values;
  expect(readPaths(['--paths', 'a', '--paths=b'])).toEqual({ paths: ['a', 'b'] });
  expect(readPaths([], { CA_MOCK_PATHS: 'a,b' })).toEqual({ paths: ['a', 'b'] });
});

test('arguments after -- are operands', () => {
  const argv = ['--strict', '--', 'npm', '--port'];
  expect(readArguments(argv, START_OPTIONS, {}, '-- COMMAND')).toEqual({
    values: { strict: true },
    operands: ['npm', '--port'],
    flags: ['strict'],
  });
});

test('a command refuses an operand that it does not take', () => {
  const readFiles = (usage: string) => readArguments(['a', 'b', 'c'], {}, {}, usage).operands;
  expect(readFiles('[FILE...]')).toEqual(['a', 'b', 'c']);
  expect(() => readArguments([''], {}, {}, '[FILE...]')).toThrow('An argument is empty. Leave it out');
  expect(() => readFiles('[FILE]')).toThrow('The argument "b" is too many. The command takes only [FILE].');
  expect(() => readFiles('')).toThrow(
    'The argument "a" is too many. The command takes only flags; a command must be the first argument.',
  );
});

test('a variable that may be set for another command needs no other, and has no effect', () => {
  const grpcDescriptors = { CA_MOCK_GRPC_DESCRIPTORS: 'a,b' };
  expect(readArguments([], LIST_OPTIONS, grpcDescriptors).values).toEqual({});
});

test('a switch excludes another option only if it is on', () => {
  expect(read(['--save', 'a.json', '--watch=false'])).toEqual({ save: 'a.json', watch: false });
  expect(read(['--watch'], { CA_MOCK_SAVE: '' })).toEqual({ watch: true });
  expect(() => read(['--watch'], { CA_MOCK_SAVE: 'a.json' })).toThrow(
    '--save and --watch exclude each other.',
  );
});

test('the message about a certificate without its key names the flag that was given and the flag that is missing', () => {
  expect(() => read(['--tls-cert', 'c.pem'])).toThrow('--tls-cert needs --tls-key as well.');
  expect(() => read([], { CA_MOCK_TLS_KEY: 'k.pem' })).toThrow('CA_MOCK_TLS_KEY needs --tls-cert as well.');
  expect(read(['--tls-cert', 'c.pem'], { CA_MOCK_TLS_KEY: 'k.pem' })).toEqual({
    tlsCert: 'c.pem',
    tlsKey: 'k.pem',
  });
});

test.each([
  [['--port', '70000'], '--port is "70000", but must be a whole number from 0 to 65535.'],
  [['--port', '80.'], '--port is "80.", but must be a whole number'],
  [['--seed', 'dice'], 'must be a whole number from 0 to 4294967295, or random.'],
  [['--clock', 'noon'], '--clock is "noon", but must be an ISO 8601 time'],
  [['--base-url', 'http://h/?q=1'], '--base-url is "http://h/?q=1", but must be an http'],
  [['--base-url', 'http://me:word@h'], '--base-url is "http://[secret]@h", but must be an http'],
  [['-p', 'x'], '-p is "x", but must be'],
  [['--hosted', 'aprove'], 'must be one of interactive, approve, deny. Did you mean "approve"?'],
  [['--strict=maybe'], '--strict is "maybe", but must be true or false'],
  [['--control-token', 'a b'], '--control-token must be one or more letters'],
  [['--port'], '--port needs a value: a whole number from 0 to 65535.'],
  [['--scenario', '--strict'], '--scenario needs a value'],
  [['--scenaro', 'empty'], 'There is no flag --scenaro. Did you mean "--scenario"?'],
  [['-x'], 'There is no flag -x.'],
  [['--PORT=1'], 'There is no flag --PORT. Did you mean "--port"?'],
  [['--__proto__', 'x'], 'There is no flag --__proto__.'],
  [['-port', '1'], 'There is no flag -port. Did you mean "--port"?'], // not read as several flags
  [['-scenario=empty'], 'There is no flag -scenario. Did you mean "--scenario"?'],
])('the message about %j names the flag as it was typed, and what it takes', (argv, message) => {
  expect(() => read(argv)).toThrow(message);
});

test('the message about a variable with a wrong value names the variable', () => {
  expect(() => read([], { CA_MOCK_PORT: 'http' })).toThrow('CA_MOCK_PORT is "http", but must be');
});

test.each(
  Array.from(COMMANDS),
)('%s refuses each flag that is empty, lacks a value or its companion, or comes twice', (_name, {
  options,
  operands,
}) => {
  const say = (...argv: string[]) => {
    try {
      readArguments(
        [...argv, '--', 'true'].slice(0, operands.startsWith('--') ? undefined : argv.length),
        options,
        {},
        operands,
      );
      return 'nothing';
    } catch (error) {
      return (error as Error).message;
    }
  };
  for (const [name, { placeholder, isRepeatable, needs, read: parse }] of Object.entries(options)) {
    const flag = flagName(name);
    if (!isRepeatable) expect(say(`${flag}=1`, `${flag}=1`)).toBe(`${flag} is given twice. Give it once.`);
    if (placeholder === undefined)
      expect(say(`${flag}=maybe`)).toMatch(new RegExp(`${flag} (is "maybe", but must be|needs)`));
    else
      expect([say(`${flag}=`), say(flag)]).toEqual([
        expect.stringMatching(new RegExp(`${flag} (is .*, but must be|must be|needs)`)),
        expect.stringContaining(`${flag} needs a value`),
      ]);
    const value = ['1', 'true', 'x', 'http://h', '2026-01-15T09:30:00Z'].find(
      (one) => parse(one) !== undefined,
    );
    if (needs !== undefined)
      expect(say(`${flag}=${value}`)).toBe(`${flag} needs ${flagName(needs)} as well.`);
  }
});
