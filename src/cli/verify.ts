/** `ca-mock verify`: runs the conformance suite against any server. */
import { flagName } from '../mock/option.ts';
import { runVerify } from '../verify/verify.ts';
import { UsageError } from './arguments.ts';
import type { Run } from './command.ts';
import type { VERIFY_OPTIONS } from './options.ts';

const REQUIRED = ['baseUrl', 'clientId', 'clientSecret'] as const;

export const run: Run<typeof VERIFY_OPTIONS> = async ({ values }, process) => {
  const { baseUrl, clientId, clientSecret } = values;
  if (baseUrl === undefined || clientId === undefined || clientSecret === undefined) {
    const missing = REQUIRED.filter((name) => values[name] === undefined).map(flagName);
    throw new UsageError(`verify needs ${missing.join(' and ')}.`);
  }
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  const { stdout, stderr } = process;
  return runVerify(
    { ...values, baseUrl, clientId, clientSecret, signal: stop.signal },
    {
      out: (text) => stdout.write(text),
      // The escape codes go back to the start of the line and clear it.
      progress: stdout.isTTY ? (line) => stderr.write(`\r\u001b[2K${line}`) : undefined,
    },
  );
};
