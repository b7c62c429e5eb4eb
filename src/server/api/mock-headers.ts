/** Headers with which a call steers the mock. Journal and log name what has no effect (behaviour N1). */
import type { IncomingHttpHeaders } from 'node:http';
import { cut, didYouMean } from '../../core/text.ts';
import { readPreference } from '../../model/environments/instead.ts';

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
  const [, member = IN_BAGGAGE] = /(?:^|,)\s*(mock-[\w-]*)\s*=/.exec(String(baggage ?? '')) ?? [];
  if (member !== IN_BAGGAGE)
    warnings.push(`${cut(member)} in the header baggage was ignored.${didYouMean(member, [IN_BAGGAGE])}`);
  const preference = prefer === undefined ? undefined : readPreference(String(prefer));
  return preference && 'warning' in preference ? [...warnings, preference.warning] : warnings;
};
