/**
 * Headers with which a call steers the mock: strict mode and the environment (behaviour E2, E7, T2). Journal and log name
 * what has no effect (behaviour N1).
 */
import type { IncomingHttpHeaders } from 'node:http';
import { decode } from '../core/secrets.ts';
import { cut, didYouMean, nearest } from '../core/text.ts';
import type { Environments } from './all-environments.ts';
import type { Environment } from './environment.ts';

/** The name of an environment in a request, which can be blank, and the environment with this name, if it exists. */
export interface NamedEnvironment {
  readonly name: string;
  /** Where the request names it, such as `baggage`. */
  readonly by: string;
  readonly environment: Environment | undefined;
}

/** The environments that a request names by `X-Mock-Environment`, `baggage`, or its trace (behaviour E9). */
export const readNamedEnvironments = (
  environments: Environments,
  headers: IncomingHttpHeaders,
): readonly NamedEnvironment[] => {
  const { 'x-mock-environment': header, baggage = '' } = headers;
  const found: NamedEnvironment[] = [];
  const add = (by: string, name: string | undefined): void => {
    if (name !== undefined) found.push({ by, name, environment: environments.find(name) });
  };
  if (typeof header === 'string') add('header X-Mock-Environment', header);
  if (baggage !== '') add('baggage', readBaggage(String(baggage)));
  for (const [name, traceId] of TRACE_HEADERS) {
    if (!(name in headers)) continue;
    const [digits, hex] = traceId.exec(String(headers[name]).trim()) ?? [];
    // An unknown trace names nothing, since most traces are not ours.
    if (digits) add(`header ${name}`, environments.findByTrace(hex ?? toHex(digits))?.name);
  }
  return found;
};

/** Where the usual tracers put the id of a trace: in hexadecimal digits, or its lower half as a decimal number. */
const TRACE_HEADERS: readonly (readonly [header: string, traceId: RegExp])[] = [
  ['traceparent', /^[\da-f]{2}-([\da-f]{32})-/i],
  ['sentry-trace', /^([\da-f]{32})(?:-|$)/i],
  ['b3', /^([\da-f]{32}|[\da-f]{16})-/i],
  ['x-b3-traceid', /^([\da-f]{32}|[\da-f]{16})$/i],
  ['x-datadog-trace-id', /^\d{1,20}$/],
];

const toHex = (decimal: string): string => BigInt(decimal).toString(16).padStart(16, '0');

/**
 * The environment of a call with credentials of `owner`: a copy of `owner` if the call names one, else `owner` itself, so
 * that one back end, with one client id and secret, can serve many tests (behaviour E7). Beside it, the first name that does
 * not refer to it (behaviour E2).
 */
export const environmentFor = (owner: Environment, named: readonly NamedEnvironment[]) => {
  const copy = named.find(({ environment }) => environment && isCopyOf(environment, owner));
  const environment = copy?.environment ?? owner;
  return { environment, other: named.find((one) => one.environment !== environment) };
};

const isCopyOf = ({ origin }: Environment, { name, isRuntime }: Environment): boolean =>
  origin.copiedFrom === name && !isRuntime;

/** The value of `mock-environment` in a W3C `baggage` header. */
const readBaggage = (baggage: string): string | undefined =>
  /(?:^|,)\s*mock-environment\s*=\s*([^\s,;]*)/.exec(baggage)?.slice(1).map(decode)[0];

const KNOWN = ['X-Mock-Environment', 'X-Mock-Strict'];
const IN_LOWER_CASE = KNOWN.map((name) => name.toLowerCase());
const IN_BAGGAGE = 'mock-environment';

/** Whether the client asked for strict mode by `X-Mock-Strict: 1` or `true`, ignoring case. */
export const asksForStrict = (headers: IncomingHttpHeaders): boolean =>
  /^(?:1|true)$/i.test(String(headers['x-mock-strict'] ?? ''));

/** A sentence for each header of the mock that has no effect, and for a preference that it cannot meet (RFC 7240). */
export const headerWarnings = (headers: IncomingHttpHeaders): readonly string[] => {
  const warnings: string[] = [];
  for (const name in headers)
    if (name.startsWith('x-mock-') && !IN_LOWER_CASE.includes(name))
      warnings.push(`The header ${cut(name)} was ignored.${didYouMean(name, KNOWN)}`);
  const { prefer, baggage, 'x-mock-strict': strict } = headers;
  if (strict !== undefined && !/^(?:1|true|0|false)$/i.test(String(strict)))
    warnings.push(`X-Mock-Strict: ${cut(String(strict))} was ignored. Send 1 or true.`);
  for (const [, member = ''] of String(baggage ?? '').matchAll(/(?:^|,)\s*([\w-]+)\s*=/g))
    if (member !== IN_BAGGAGE && (member.startsWith('mock-') || nearest(member, [IN_BAGGAGE])))
      warnings.push(`${cut(member)} in the header baggage was ignored.${didYouMean(member, [IN_BAGGAGE])}`);
  const preference = prefer === undefined ? undefined : readPreference(String(prefer));
  return preference && 'warning' in preference ? [...warnings, preference.warning] : warnings;
};

/**
 * Reads `code=429` from a `Prefer` header (RFC 7240), which can be several headers joined by commas.
 * @returns the wanted status, or a warning that the code is ignored; undefined if the header has no code
 */
export const readPreference = (header = '') => {
  const code = /(?:^|[,;])\s*code\s*=\s*("[^"]*"|[^\s,;]*)/i.exec(header)?.[1]?.replaceAll('"', '');
  if (code !== undefined)
    return /^[45]\d\d$/.test(code)
      ? { status: Number(code) }
      : { warning: `Prefer: code=${cut(code)} was ignored. The code must be 400 to 599.` };
  const [, name, status] = /(?:^|[,;])\s*(?!wait\b)([\w-]+)\s*=\s*"?([45]\d\d)\b/.exec(header) ?? [];
  if (name === undefined) return undefined;
  return { warning: `Prefer: ${cut(name)}=${status} was ignored. Did you mean "code=${status}"?` };
};
