/** The log of a mock: the types of its entries, and the functions that write and format the entries. */
import type { LoggedCall } from '../engine/api/recording.ts';

interface Entry<Event extends string> {
  /** The kind of event. */
  readonly event: Event;
}

interface Told<Event extends string> extends Entry<Event> {
  /** What happened, in words. */
  readonly message: string;
}

/** Everything that a mock logs. */
export type LogEntry =
  | LoggedCall
  /** A reply of the mock broke the contract (`validateResponses`). */
  | (Told<'reply_violation'> & {
      /** Method of the call. */
      readonly method: string;
      /** Path and query of the call. */
      readonly url: string;
    })
  /** An internal error. The call was answered with a plain 500. */
  | Told<'fault'>
  /** A client uses gRPC, which this mock does not serve. Logged once. */
  | (Told<'grpc_unserved'> & {
      /** Address of the client. */
      readonly address: string;
    })
  /** The scenario contains something that is allowed, but probably a mistake. */
  | Told<'warning'>
  /** The scenario's files changed, and the scenario was loaded again (`watch`). */
  | (Entry<'reloaded'> & {
      /** Name of the scenario. */
      readonly scenario: string;
    })
  /** The scenario's files changed, but could not be loaded. The mock keeps the old state (`watch`). */
  | Told<'reload_failed'>
  /** The environments could not be saved (`save`). The mock tries again. */
  | (Told<'not_saved'> & {
      /** The path of the file. */
      readonly file: string;
    });

/** A function that receives every log entry. */
export type Log = (entry: LogEntry) => void;

/**
 * Where the log goes. `pretty` and `json` write a line of text or JSON to standard error for every entry that is not
 * about a call. `silent` writes nothing. A function receives every entry, including entries about calls.
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
  const text = FORMATS[entry.event](entry as never); // the cast is safe: the format is the one of this event
  const hasLines = entry.event === 'fault' || entry.event === 'reload_failed'; // a stack; a line for each problem
  return hasLines ? text.split('\n').map(oneLine).join('\n') : oneLine(text);
};

/** A text without control characters and line breaks of its own. */
export const oneLine = (text: string): string =>
  text.replaceAll(
    /[\p{Cc}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Formats a call, such as `GET /api/v1/connections 503 listConnections (development, 3 ms): The service is busy.` */
const formatRequest = (entry: LoggedCall): string => {
  const { method, path, status, ms, operation, environment, reason, rule, warnings = [] } = entry;
  const where = [environment, `${ms} ms`].filter(Boolean).join(', ');
  const call = [method, path, status, operation, `(${where})`].filter((part) => part !== undefined).join(' ');
  const said = [reason, ...warnings, rule].filter((part) => part !== undefined).join(' ');
  return said === '' ? call : `${call}: ${said}`;
};

const FORMATS: {
  readonly [Event in LogEntry['event']]: (entry: Extract<LogEntry, { readonly event: Event }>) => string;
} = {
  request: formatRequest,
  reply_violation: ({ method, url, message }) =>
    `The reply to ${method} ${url} broke the contract: ${message}`,
  fault: ({ message }) => `The mock failed: ${message}`,
  grpc_unserved: ({ address, message }) => `A client at ${address} uses gRPC. ${message}`,
  warning: ({ message }) => `Warning: ${message}.`,
  reloaded: ({ scenario }) => `Reloaded ${scenario}, because its files changed.`,
  reload_failed: ({ message }) =>
    `The scenario changed but cannot be loaded, so the mock keeps the old scenario:\n${message}`,
  not_saved: ({ file, message }) => `${file} cannot be written: ${message}. The mock tries again.`,
};

/** Describes a thrown value. @param part `stack` also shows where the error was thrown */
export const describe = (error: unknown, part: 'message' | 'stack' = 'message'): string => {
  if (typeof error !== 'object' || error === null) return String(error);
  return String(Reflect.get(error, part) ?? Reflect.get(error, 'message') ?? error);
};
