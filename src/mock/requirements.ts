/** Checks options at run time, for untyped callers. */
import { inspect } from 'node:util';
import { didYouMean } from '../core/nearest.ts';
import { cut } from '../core/text.ts';
import { type Option, type Options, showValue } from './option.ts';
import { MOCK_OPTIONS, type MockOptions, START_OPTIONS, type StartOptions } from './options.ts';

/**
 * Checks the options of `createMock`.
 * @throws TypeError for an unknown option, or a value that the option does not accept
 */
export const requireMockOptions = (options: MockOptions): void => requireOptions(options, MOCK_OPTIONS);

/**
 * Checks the options of `startMock`.
 * @throws TypeError like `requireMockOptions`; Error for an address that others can reach without a control token
 */
export const requireStartOptions = (options: StartOptions): void => {
  requireOptions(options, START_OPTIONS);
  requireReach(options);
};

const requireOptions = (given: object, table: Options): void => {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new TypeError(`options is ${show(given)}, but must be an object such as { port: 0 }.`);
  for (const [name, value] of Object.entries(given)) {
    const option = Object.hasOwn(table, name) ? table[name] : undefined;
    if (!option) throw unknown(name, table);
    if (value === undefined) continue;
    if (!option.is(value)) throw unaccepted(name, option, value);
    const { needs } = option;
    if (needs !== undefined && Reflect.get(given, needs) === undefined)
      throw new TypeError(`${name} needs ${needs} as well.`);
  }
};

const unknown = (name: string, table: Options): TypeError => {
  const advice = Object.hasOwn(START_OPTIONS, name)
    ? ' Only startMock has it, since createMock does not listen.'
    : didYouMean(name, Object.keys(table));
  return new TypeError(`There is no option ${name}.${advice}`);
};

const unaccepted = (name: string, option: Option<unknown>, value: unknown): TypeError => {
  const { accepts, acceptsInCode = accepts, isSecret } = option;
  const shown = typeof value === 'string' ? showValue(option, value) : show(value);
  return new TypeError(`${name} ${isSecret ? '' : `is ${shown}, but `}must be ${acceptsInCode}.`);
};

/** A value as one line. */
const show = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(cut(value)) : inspect(value, { depth: -1 });

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;

/** Requires a token for a mock that other machines can reach, because whoever reaches `/_mock` can do everything. */
const requireReach = ({ host, controlToken }: StartOptions): void => {
  if (host === undefined || controlToken !== undefined || LOOPBACK.test(host)) return;
  throw new Error(
    `Other machines can reach ${host}, and with it everything under /_mock. Set a control token (controlToken, --control-token), or listen on 127.0.0.1.`,
  );
};
