/** What options must be, for callers whose compiler did not tell them. */
import { CLOCK_HINT, parseClockTime } from '../core/clock.ts';
import { didYouMean } from '../core/nearest.ts';
import type { MockOptions, StartOptions } from './options.ts';

/** Every name of an options type, once; one that is missing here is a build error. */
type Names<Options> = Readonly<Record<keyof Options, true>>;

const MOCK_NAMES: Names<MockOptions> = {
  scenario: true,
  fixtures: true,
  baseUrl: true,
  seed: true,
  clock: true,
  strict: true,
  hosted: true,
  validateResponses: true,
  watch: true,
  controlToken: true,
  log: true,
};

const START_NAMES: Names<StartOptions> = {
  ...MOCK_NAMES,
  port: true,
  host: true,
  tlsCert: true,
  tlsKey: true,
};

/** @throws TypeError for an option that does not exist or has a value it does not accept */
export const requireMockOptions = (options: MockOptions): void => {
  requireNames(options, MOCK_NAMES);
  requireValues(options);
};

/** @throws TypeError as `requireMockOptions`; Error for an address that others can reach without a control token */
export const requireStartOptions = (options: StartOptions): void => {
  requireNames(options, START_NAMES);
  requireValues(options);
  const { port = 0, tlsCert, tlsKey } = options;
  require(Number.isInteger(port) &&
    port >= 0 &&
    port <= 65_535, 'port', 'a whole number from 0 to 65535', port);
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw new TypeError('HTTPS needs a certificate and its private key. Give both, or neither.');
  requireReach(options);
};

const requireNames = (options: object, names: Readonly<Record<string, true>>): void => {
  require(isPlain(options), 'options', 'an object such as { port: 0 }', options);
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(names, name))
      throw new TypeError(`There is no option ${name}.${didYouMean(name, Object.keys(names))}`);
  }
};

const isPlain = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const TEXTS = ['fixtures', 'host', 'tlsCert', 'tlsKey'] as const;

const requireTexts = (options: StartOptions): void => {
  for (const name of TEXTS) {
    const value: unknown = options[name];
    require(value === undefined || typeof value === 'string', name, 'a text', value);
  }
};

const requireValues = (options: MockOptions): void => {
  requireTexts(options);
  const { baseUrl, scenario, seed, clock, hosted, validateResponses, log } = options;
  require(isScenario(scenario), 'scenario', 'a name, a file, or the scenario itself', scenario);
  require(isSeed(seed), 'seed', "a whole number from 0 to 4294967295, or 'random'", seed);
  require(isTime(clock), 'clock', CLOCK_HINT, clock);
  require(isWebAddress(baseUrl), 'baseUrl', 'an http:// or https:// URL', baseUrl);
  require(isOneOf(hosted, HOSTED), 'hosted', HOSTED.join(', '), hosted);
  require(isOneOf(validateResponses, CHECKS), 'validateResponses', CHECKS.join(', '), validateResponses);
  require(typeof log === 'function' || isOneOf(log, LOGS), 'log', `${LOGS.join(', ')}, or a function`, log);
  requireControlToken(options.controlToken);
  for (const name of ['strict', 'watch'] as const)
    require(isOneOf(options[name], [true, false]), name, 'true or false', options[name]);
};

const HOSTED = ['interactive', 'approve', 'deny'] as const;
const CHECKS = ['on', 'report', 'off'] as const;
const LOGS = ['pretty', 'json', 'silent'] as const;

const isOneOf = (value: unknown, known: readonly unknown[]): boolean =>
  value === undefined || known.includes(value);

const isSeed = (seed: MockOptions['seed']): boolean =>
  seed === undefined || seed === 'random' || (Number.isInteger(seed) && seed >= 0 && seed <= 4_294_967_295);

const isTime = (clock: string | undefined): boolean =>
  clock === undefined || parseClockTime(clock) !== undefined;

const isScenario = (scenario: MockOptions['scenario']): boolean =>
  scenario === undefined || isPlain(scenario) || (typeof scenario === 'string' && scenario !== '');

/** Links are addresses with more path, so a query or fragment has no place in what they begin with. */
const isWebAddress = (url: string | undefined): boolean =>
  url === undefined || (/^https?:\/\/[^?#]+$/.test(url) && URL.canParse(url));

const require = (holds: boolean, name: string, expected: string, value: unknown): void => {
  if (!holds) throw new TypeError(`${name} is ${JSON.stringify(value)}, but must be ${expected}.`);
};

/** Whether a token can be sent as `Authorization: Bearer TOKEN`. */
export const canBeSent = (token: string): boolean => /^[\x21-\x7e]+$/.test(token);

/** Tells nothing of the token itself. */
const requireControlToken = (token: string | undefined): void => {
  if (token === '') throw new TypeError('controlToken is empty. Give it some characters, or leave it out.');
  if (token !== undefined && typeof token !== 'string') throw new TypeError('controlToken must be a text.');
  if (token !== undefined && !canBeSent(token))
    throw new TypeError(
      'controlToken holds a character that no header can carry. Use letters, digits and signs, no spaces.',
    );
};

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;

/** Whoever can reach `/_mock` can do everything, so beyond this machine it needs a token. */
const requireReach = ({ host, controlToken }: StartOptions): void => {
  if (host === undefined || controlToken !== undefined || LOOPBACK.test(host)) return;
  throw new Error(
    `Other machines can reach ${host === '' ? 'every address' : host}, and with it everything under /_mock. Set a control token (controlToken, --control-token), or listen on 127.0.0.1.`,
  );
};
