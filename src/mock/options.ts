/**
 * What `startMock`, `createMock` and `createEnvironment` take. One row for each option of the first two: the
 * flags of `ca-mock start`, their environment variables, the checks of the library, the types below, `--help` and the
 * README's table all follow from it. Editors show the comment of a row, `--help` its words.
 */
import type { ScenarioForm } from '../scenario/sections/index.ts';
import type { Log } from './log.ts';
import {
  choice,
  environmentAddress,
  type OptionValues,
  orInCode,
  pairedWith,
  repeatable,
  secret,
  seed,
  text,
  time,
  toggle,
  token,
  wholeNumber,
} from './option.ts';

/** What applies where neither an option nor a scenario says anything. */
export const DEFAULTS = {
  port: 4720,
  host: '127.0.0.1',
  url: 'http://127.0.0.1:4720',
  validateResponses: 'report',
} as const;

const isObject = (value: unknown): value is ScenarioForm =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isFunction = (value: unknown): value is Log => typeof value === 'function';

/** Options of a mock that does not listen. */
export const MOCK_OPTIONS = {
  /**
   * A name of the fixtures folder, a file, or the scenario itself.
   * Default: `ca-mock.yaml`, `.yml` or `.json` in the working directory if there is one, else `default`.
   */
  scenario: orInCode(
    text('NAME_OR_FILE', 'scenario to start from', 'ca-mock.yaml, .yml or .json here, else default', 's'),
    'the scenario itself',
    isObject,
  ),
  /** Folder of more scenarios to start from by name, in addition to the package's own. Default: none. */
  fixtures: text('DIR', 'folder of more scenarios to start from by name', 'none'),
  /**
   * Address of the mock as its clients see it. `http://{env}.mock.test` gives each environment a host of its own, which
   * links begin with and which names it in a call (behaviour E2). Default: where it listens; `http://mock.local` if it
   * does not.
   */
  baseUrl: environmentAddress(
    'URL',
    'address of the mock as its clients see it',
    'the address it listens on',
  ),
  /** What ids are drawn from; `random` ends repetition. Default: the scenario's, else 1. */
  seed: seed('N|random', 'what ids are drawn from; random ends repetition', '1'),
  /** An ISO 8601 time to freeze every clock at. Default: the scenario's, else real time. */
  clock: time('ISO', 'freeze the clock at a time', 'real time'),
  /** Refuse unknown parameters and members (behaviour T2). Default: the scenario's setting. */
  strict: toggle('refuse unknown parameters and members'),
  /** What opening an authorization link does (behaviour V5). Default: the scenario's setting. */
  hosted: choice(
    ['interactive', 'approve', 'deny'],
    'what opening an authorization link does',
    'interactive',
  ),
  /** What happens when a reply of the mock breaks the contract. Default: `report`. */
  validateResponses: choice(
    ['on', 'report', 'off'],
    'what happens when a reply breaks the contract',
    DEFAULTS.validateResponses,
  ),
  /** Reload the scenario when one of its files changes; a broken edit is logged and the old state kept. Default: no. */
  watch: toggle('reload the scenario when its file changes'),
  /**
   * Folder that keeps environments over a restart: data, clock and settings. These override the other options. Default:
   * nothing is kept.
   */
  saveDir: text(
    'DIR',
    'keep environments in this folder over a restart; they override other flags',
    'nothing is kept',
  ),
  /** Token that every call of `/_mock` must then carry. Default: none. */
  controlToken: secret(token('T', 'token that /_mock asks for; required off loopback', 'none')),
  /** Where the log goes. Default: `pretty`. */
  log: orInCode(
    choice(
      ['pretty', 'json', 'silent'],
      'what to write to standard output',
      'pretty on a terminal, else json',
    ),
    'a function',
    isFunction,
  ),
};

/** Options of a mock that listens. */
export const START_OPTIONS = {
  /** 0 takes any free one. Default: 4720. */
  port: wholeNumber(0, 65_535)('N', 'port to listen on; 0 takes any free one', String(DEFAULTS.port), 'p'),
  /** Address to listen on; any but loopback needs a `controlToken`. Default: 127.0.0.1. */
  host: text('ADDRESS', 'address to listen on', DEFAULTS.host),
  /** File of a certificate to serve HTTPS with, in PEM. Default: plain HTTP. */
  tlsCert: pairedWith(text('FILE', 'certificate to serve HTTPS with (PEM)', 'plain HTTP'), 'tlsKey'),
  /** File of the certificate's private key, in PEM. */
  tlsKey: pairedWith(text('FILE', 'private key of the certificate (PEM)', 'plain HTTP'), 'tlsCert'),
  /** Descriptors of the SDK whose gRPC calls are served on the same port. Default: none. */
  grpcDescriptors: repeatable(
    text('PATH', 'descriptors of the SDK whose gRPC calls are served; repeatable', 'no gRPC'),
  ),
  ...MOCK_OPTIONS,
};

/** Options of a mock that does not listen. */
export type MockOptions = OptionValues<typeof MOCK_OPTIONS>;

/** Options of a mock that listens. */
export type StartOptions = OptionValues<typeof START_OPTIONS>;
