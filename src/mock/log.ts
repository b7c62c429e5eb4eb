/** The log of a mock: its entries, and the ways to write them. */
import type { LoggedCall } from '../api/recording.ts';

interface EventMessage<Event extends string> {
  /** What happened. */
  readonly event: Event;
  /** The event as a sentence. */
  readonly message: string;
}

interface EventOfFile<Event extends string> extends EventMessage<Event> {
  /** Path of the file. */
  readonly file: string;
}

/** Everything that a mock logs. */
export type LogEntry =
  | LoggedCall
  /** A reply of the mock broke the contract (`validateResponses`). */
  | (EventMessage<'reply_violation'> & {
      /** Method of the call. */
      readonly method: string;
      /** Path and query of the call. */
      readonly url: string;
    })
  /** An internal error, answered as a plain 500. */
  | EventMessage<'fault'>
  /** A client speaks gRPC, which is not served. Logged once a minute for each client. */
  | (EventMessage<'grpc_unserved'> & {
      /** Address of the client. */
      readonly address: string;
    })
  /** The scenario has something that is allowed, but is probably a mistake. */
  | EventMessage<'warning'>
  /** The scenario's files changed and were loaded (`watch`). */
  | {
      /** What happened. */
      readonly event: 'reloaded';
      /** Name of the scenario. */
      readonly scenario: string;
    }
  /** The scenario's files changed and cannot be loaded; the old state was kept (`watch`). */
  | EventMessage<'reload_failed'>
  /** A saved environment cannot be loaded; its file was set aside (`saveDir`). */
  | EventOfFile<'not_restored'>
  /** An environment cannot be written (`saveDir`). */
  | EventOfFile<'not_saved'>;

/** A function that gets every entry. */
export type Log = (entry: LogEntry) => void;

/**
 * Where the log goes: to standard error, as a line of text or JSON for each entry except calls; nowhere; or to a
 * function that gets every entry.
 */
export type LogOption = 'pretty' | 'json' | 'silent' | Log;

/** The function that an option stands for. */
export const toLog = (option: LogOption): Log => {
  if (typeof option === 'function') return option;
  if (option === 'silent') return () => {};
  const format = option === 'json' ? JSON.stringify : formatEntry;
  return (entry) => {
    if (entry.event !== 'request') process.stderr.write(`${format(entry)}\n`);
  };
};

/** Formats an entry as a readable line. */
export const formatEntry = (entry: LogEntry): string => {
  switch (entry.event) {
    case 'request':
      return formatRequest(entry);
    case 'reply_violation':
      return `The reply to ${entry.method} ${entry.url} broke the contract: ${entry.message}`;
    case 'fault':
      return `The mock failed: ${entry.message}`;
    case 'grpc_unserved':
      return `A client at ${entry.address} uses gRPC. ${entry.message}`;
    case 'warning':
      return `Warning: ${entry.message}.`;
    case 'reloaded':
      return `Loaded ${entry.scenario} again, because its files changed.`;
    case 'reload_failed':
      return `The scenario changed and cannot be loaded, so the old one stays:\n${entry.message}`;
    case 'not_restored':
      return `A saved environment cannot be loaded, and was set aside as ${entry.file}:\n${entry.message}`;
    case 'not_saved':
      return `${entry.file} cannot be written: ${entry.message}`;
  }
};

/**
 * Such as `POST /api/v1/connected_accounts 400 createConnectedAccount (development, 3 ms): identifier is missing.
 * http://...`.
 */
const formatRequest = (entry: LoggedCall): string => {
  const { method, path, status, ms, operation, environment, reason, rule, warnings = [] } = entry;
  const where = [environment, `${ms} ms`].filter(Boolean).join(', ');
  const call = [method, path, status, operation, `(${where})`].filter((part) => part !== undefined).join(' ');
  const said = [reason, ...warnings, rule].filter((part) => part !== undefined).join(' ');
  return said === '' ? call : `${call}: ${said}`;
};

/** A thrown value as text. @param part `stack` for an internal error, to show where it was thrown */
export const describe = (error: unknown, part: 'message' | 'stack' = 'message'): string => {
  if (typeof error !== 'object' || error === null) return String(error);
  return String(Reflect.get(error, part) ?? Reflect.get(error, 'message') ?? error);
};
