/** The log of a mock: the types of its entries, and the functions that write and format the entries. */
import type { LoggedCall } from '../engine/api/recording.ts';

/** What a mock logs besides calls. */
interface Told {
  /**
   * `fault`: an internal error, whose call was answered with a plain 500. `reply_violation`: a reply broke the contract
   * (`validateResponses`). `grpc_unserved`: a client uses gRPC, which this mock does not serve; logged once. `warning`: the
   * scenario has something that is allowed, but probably a mistake. `reloaded` and `reload_failed`: the scenario's files
   * changed, and were loaded again, or could not be, so the old state stays (`watch`). `not_saved`: the environments could
   * not be saved; the mock tries again (`save`).
   */
  readonly event:
    | 'fault'
    | 'reply_violation'
    | 'grpc_unserved'
    | 'warning'
    | 'reloaded'
    | 'reload_failed'
    | 'not_saved';
  /** What happened, in words. */
  readonly message: string;
}

/** Everything that a mock logs. */
export type LogEntry = LoggedCall | Told;

/** A function that receives every log entry. */
export type Log = (entry: LogEntry) => void;

/**
 * Where the log goes. `pretty` and `json` write a line to standard error for every entry that is not about a call. `silent` writes
 * nothing. A function receives every entry, calls too.
 */
export type LogOption = 'pretty' | 'json' | 'silent' | Log;

export const toLog = (option: LogOption): Log => {
  if (typeof option === 'function') return option;
  if (option === 'silent') return () => {};
  const format = option === 'json' ? JSON.stringify : formatEntry;
  return (entry) => {
    if (entry.event !== 'request') process.stderr.write(`${format(entry)}\n`);
  };
};

/** The line of an entry. What a caller sent can neither begin a new line nor control the terminal. */
export const formatEntry = (entry: LogEntry): string => {
  if (entry.event === 'request') return oneLine(formatCall(entry));
  const { event, message } = entry;
  if (event === 'warning') return oneLine(`Warning: ${message}.`);
  const hasLines = event === 'fault' || event === 'reload_failed'; // a stack; a line for each problem
  return hasLines ? message.split('\n').map(oneLine).join('\n') : oneLine(message);
};

/** A text without control characters and line breaks of its own. */
export const oneLine = (text: string): string =>
  text.replaceAll(
    /[\p{Cc}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

type Call = { readonly [Name in keyof LoggedCall]?: LoggedCall[Name] | undefined };

/** Formats a call, such as `GET /api/v1/connections 503 listConnections (development, 3 ms): The service is busy.` */
export const formatCall = (call: Call): string => {
  const { method, path, status, ms, operation, environment, reason, rule, warnings = [] } = call;
  const join = (parts: readonly unknown[], by = ' ') => parts.filter((part) => part !== undefined).join(by);
  const about = join([environment, ms === undefined ? undefined : `${ms} ms`], ', ');
  const said = join([reason, ...warnings, rule]);
  const what = join([method, path, status, operation, about === '' ? undefined : `(${about})`]);
  return said === '' ? what : `${what}: ${said}`;
};

/** Describes a thrown value. @param part `stack` also shows where the error was thrown */
export const describe = (error: unknown, part: 'message' | 'stack' = 'message'): string => {
  if (typeof error !== 'object' || error === null) return String(error);
  return String(Reflect.get(error, part) ?? Reflect.get(error, 'message') ?? error);
};
