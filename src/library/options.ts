/**
 * The options of `startMock` and `createMock`. The tables below also define the flags of `ca-mock start`, their
 * environment variables, the library's checks, the types below, and the texts in `--help`, in the guide, and in the
 * editors of users, since the build writes them into the declarations.
 */
import { isJsonObject } from '../engine/core/object.ts';
import { didYouMean, listNames } from '../engine/core/text.ts';
import type { ScenarioForm } from '../service/sections.ts';
import { DEFAULTS } from './defaults.ts';
import type { Log } from './log.ts';
import {
  choice,
  isDate,
  type Option,
  type Options,
  type OptionValues,
  orInCode,
  refusedValue,
  repeatable,
  requireCompany,
  seed,
  text,
  time,
  toggle,
  token,
  webAddress,
  wholeNumber,
} from './option.ts';

const CLOCK = time('ISO', 'time at which to freeze the clock', "the scenario's, else real time");

export const MOCK_OPTIONS = {
  scenario: orInCode(
    text(
      'NAME_OR_FILE',
      'initial scenario: its name in the fixtures folder, or a file',
      'ca-mock.yaml, .yml or .json in this folder, else "default"',
      { short: 's' },
    ),
    'the scenario itself',
    (value): value is ScenarioForm => isJsonObject(value),
  ),
  fixtures: text('DIR', 'folder of more scenarios that can be loaded by name', 'none'),
  baseUrl: webAddress('URL', 'address of the mock as its clients see it', 'the address it listens on'),
  seed: seed(
    'N|random',
    'seed of generated ids; "random" gives new ids at each start',
    "the scenario's, else 1",
  ),
  clock: {
    ...CLOCK,
    is: (value: unknown): value is string | Date => CLOCK.is(isDate(value) ? value.toISOString() : value),
  },
  strict: toggle('refuse unknown query parameters and body members', "the scenario's, else off"),
  hosted: choice(
    ['interactive', 'approve', 'deny'],
    'whether an authorization link shows a page, approves or denies',
    "the scenario's, else interactive",
  ),
  validateResponses: choice(
    ['on', 'report', 'off'],
    'what happens when a reply breaks the contract: a 500 instead of it, a line in the log, or nothing',
    DEFAULTS.validateResponses,
  ),
  watch: toggle('reload the scenario when its file changes'),
  save: text(
    'FILE',
    'keep all environments in this scenario file; if it is there, start with it in place of scenario and seed',
    'nothing is kept',
    { excludes: 'watch' },
  ),
  controlToken: token(
    'T',
    'token that every call to /_mock must send; required unless host is loopback',
    'none',
    { isSecret: true },
  ),
  log: orInCode(
    choice(
      ['pretty', 'json', 'silent'],
      'how to log problems, and in ca-mock also calls',
      'pretty; in ca-mock without a terminal, json',
    ),
    'a function',
    (value): value is Log => typeof value === 'function',
  ),
};

export const START_OPTIONS = {
  port: wholeNumber(0, 65_535)('N', 'port to listen on; 0 takes any free one', String(DEFAULTS.port), {
    short: 'p',
  }),
  host: text('ADDRESS', 'address to listen on', DEFAULTS.host),
  tlsCert: text('FILE', 'certificate to serve HTTPS with (PEM)', 'plain HTTP', { needs: 'tlsKey' }),
  tlsKey: text('FILE', 'private key of the certificate (PEM)', 'plain HTTP', { needs: 'tlsCert' }),
  grpcDescriptors: repeatable(
    text('PATH', 'descriptors of the SDK whose gRPC calls are served; repeatable', 'no gRPC'),
  ),
  ...MOCK_OPTIONS,
};

/** Options of `createMock`, whose mock has no port. `startMock` accepts them too. */
export type MockOptions = OptionValues<typeof MOCK_OPTIONS>;

/** Options of a mock that listens. */
export type StartOptions = OptionValues<typeof START_OPTIONS>;

/** @throws TypeError like `requireOptions`; Error if other machines can reach the mock without a control token */
export const requireStartOptions = (options: StartOptions): void => {
  requireOptions(options, START_OPTIONS);
  const { host, controlToken } = options;
  if (host === undefined || controlToken !== undefined || LOOPBACK.test(host)) return;
  throw new Error(
    `Other machines can reach ${host}, and with it everything under /_mock. Set a control token (controlToken, --control-token), or listen on 127.0.0.1.`,
  );
};

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i;

/** @throws TypeError for an unknown option, or a value that the option does not accept */
export const requireOptions = (given: object, table: Options): void => {
  if (!isJsonObject(given)) throw new TypeError('The options must be an object such as { port: 0 }.');
  for (const [name, value] of Object.entries(given)) {
    const option = optionOf(name, table);
    if (value === undefined) continue;
    const { accepts, acceptsInCode = accepts } = option;
    if (!option.is(value)) throw new TypeError(refusedValue(name, option, value, acceptsInCode));
  }
  requireCompany(table, given, (name) => name, TypeError);
};

const optionOf = (name: string, table: Options): Option<unknown> => {
  const option = Object.hasOwn(table, name) && table[name];
  if (option) return option;
  const advice = Object.hasOwn(START_OPTIONS, name)
    ? ' Only startMock has this option, because createMock does not listen.'
    : didYouMean(name, Object.keys(table)) || ` The options are ${listNames(Object.keys(table))}.`;
  throw new TypeError(`There is no option ${name}.${advice}`);
};
