/**
 * The options of a mock and of a run of tests. From these tables come the flags, their environment variables, the checks, the
 * types, and the texts in `--help`, in the guide and in editors, since the build writes them into the declarations.
 */
import { isJsonObject } from '../engine/core/object.ts';
import { didYouMean, listNames } from '../engine/core/text.ts';
import type { ScenarioForm } from '../service/sections.ts';
import type { Log } from './log.ts';
import * as kind from './option.ts';

const SECRET = { isSecret: true };

export const MOCK_OPTIONS = {
  scenario: kind.orInCode(
    kind.text(
      'NAME_OR_FILE',
      'initial scenario: its name in the fixtures folder, or a file',
      'ca-mock.yaml, .yml or .json in this folder, else "default"',
      { short: 's' },
    ),
    (value): value is ScenarioForm => isJsonObject(value),
    ', or the scenario itself',
  ),
  fixtures: kind.text('DIR', 'folder of more scenarios that can be loaded by name', 'none'),
  baseUrl: kind.webAddress('URL', 'address of the mock as its clients see it', 'the address it listens on'),
  seed: kind.seed('N|random', 'seed of generated ids; "random": new at each start', "the scenario's, else 1"),
  clock: kind.orInCode(
    kind.time('ISO', 'time at which to freeze the clock', "the scenario's, else real time"),
    kind.isDate,
  ),
  strict: kind.toggle('refuse unknown query parameters and body members', "the scenario's, else off"),
  hosted: kind.choice(
    ['interactive', 'approve', 'deny'],
    'whether an authorization link shows a page, approves or denies',
    "the scenario's, else interactive",
  ),
  validateResponses: kind.choice(
    ['on', 'report', 'off'],
    'what happens when a reply breaks the contract: a 500 instead of it, a line in the log, or nothing',
    kind.DEFAULTS.validateResponses,
  ),
  watch: kind.toggle('reload the scenario when its file changes'),
  save: kind.text(
    'FILE',
    'keep all environments in this scenario file; if it is there, start with it in place of scenario and seed',
    'nothing is kept',
    { excludes: 'watch' },
  ),
  controlToken: kind.token('T', 'token of calls to /_mock; required unless host is loopback', 'none', SECRET),
  log: kind.orInCode(
    kind.choice(
      ['pretty', 'json', 'silent'],
      'how to log problems, and in ca-mock also calls',
      'pretty; in ca-mock without a terminal, json',
    ),
    (value): value is Log => typeof value === 'function',
    ', or a function',
  ),
};

export const START_OPTIONS = {
  port: kind.wholeNumber(0, 65_535)('N', 'port to listen on; 0 takes any free one', kind.DEFAULTS.port, {
    short: 'p',
  }),
  host: kind.text('ADDRESS', 'address to listen on', kind.DEFAULTS.host),
  tlsCert: kind.text('FILE', 'certificate to serve HTTPS with (PEM)', 'plain HTTP', { needs: 'tlsKey' }),
  tlsKey: kind.text('FILE', 'private key of the certificate (PEM)', 'plain HTTP', { needs: 'tlsCert' }),
  grpcDescriptors: kind.repeatable(
    kind.text('PATH', 'descriptors of the SDK whose gRPC calls are served; repeatable', 'no gRPC'),
  ),
  ...MOCK_OPTIONS,
};

const NEEDS_PACT = { needs: 'pact' };

/** Options of a mock that runs only while tests run: for `ca-mock exec` and for the setups of test runners. */
export const RUN_OPTIONS = {
  coverage: kind.choice(['full', 'short', 'off'], 'how much to write about coverage at the end', 'short'),
  minCoverage: kind.wholeNumber(0, 100)('N', 'fail if less than N percent of the contract are covered', '0'),
  pact: kind.text('FILE', 'write what the calls of the run relied on, as a Pact, if the run passes', 'none'),
  pactConsumer: kind.text('NAME', 'name of the application', 'the name in package.json', NEEDS_PACT),
  pactProvider: kind.text('NAME', 'name of the service in the Pact', 'the title of the contract', NEEDS_PACT),
  pactCheck: kind.toggle('write no Pact, but fail if the run differs from it', 'off', NEEDS_PACT),
  ...START_OPTIONS,
  port: { ...START_OPTIONS.port, fallback: 'any free port' },
  log: { ...START_OPTIONS.log, words: 'how to write problems to standard error', fallback: 'pretty' },
};

/** Options of `createMock`, whose mock has no port. `startMock` accepts them too. */
export type MockOptions = kind.OptionValues<typeof MOCK_OPTIONS>;

/** Options of a mock that listens. */
export type StartOptions = kind.OptionValues<typeof START_OPTIONS>;

export type RunOptions = kind.OptionValues<typeof RUN_OPTIONS>;

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
export const requireOptions = (given: object, table: kind.Options): void => {
  if (!isJsonObject(given)) throw new TypeError('The options must be an object such as { port: 0 }.');
  for (const [name, value] of Object.entries(given)) {
    const option = optionOf(name, table);
    if (value === undefined || option.is(value)) continue;
    const { acceptsInCode: accepts = option.accepts } = option;
    throw new TypeError(kind.refusedValue(name, { ...option, accepts }, value));
  }
  kind.requireCompany(table, given, (name) => name, TypeError);
};

const optionOf = (name: string, table: kind.Options): kind.Option<unknown> => {
  const option = Object.hasOwn(table, name) && table[name];
  if (option) return option;
  const advice = Object.hasOwn(START_OPTIONS, name)
    ? ' Only startMock has this option, because createMock does not listen.'
    : didYouMean(name, Object.keys(table)) || ` The options are ${listNames(Object.keys(table))}.`;
  throw new TypeError(`There is no option ${name}.${advice}`);
};

/** Variables of no option of a run: what it exports, and what only runners or other commands read. */
const OTHERS =
  'URL CLIENT_ID CLIENT_SECRET ACCESS_TOKEN KEEP ENVIRONMENT EXTERNAL_ID GRPC INFERRED JOURNAL JSON ' +
  'JUNIT OPERATION ORGANIZATION_ID RELATIVE USER_ID WRITE';

/** What container platforms set for a service with the name `ca-mock`. */
const OF_PLATFORM = /^CA_MOCK_(?:PORT_\d|SERVICE_(?:HOST$|PORT)|NAME$|ENV_)/;

/** A sentence for each `CA_MOCK_` variable that nothing reads, with the nearest name (behaviour N1). */
export const unknownVariables = (variables: kind.Variables): readonly string[] => {
  const others = OTHERS.split(' ').map((name) => `CA_MOCK_${name}`);
  const known = [...Object.keys(RUN_OPTIONS).map(kind.variableName), ...others];
  return Object.keys(variables)
    .filter((name) => name.startsWith('CA_MOCK_') && !known.includes(name) && !OF_PLATFORM.test(name))
    .map((name) => `Nothing reads the variable ${name}.${didYouMean(name, known)}`);
};
