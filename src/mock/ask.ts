/** Calls the control plane for the library: the same call in process and over HTTP. */
import { dirname, resolve } from 'node:path';
import { parseJson, valueAt } from '../core/object.ts';
import { isScenarioName } from '../domain/scenario.ts';

/** The error that the methods of a mock throw when the mock refuses a call. */
export class MockError extends Error {
  /** Always `MockError`. */
  override readonly name = 'MockError';
  /** `NOT_FOUND`, `INVALID_ARGUMENT` and so on, as the control plane sends it. */
  readonly code: string;
  /** What to do next; the message ends with it. */
  readonly hint: string;

  constructor(
    { code, message, hint }: { readonly code: string; readonly message: string; readonly hint: string },
    options?: ErrorOptions,
  ) {
    super(`${message} ${hint}`, options);
    this.code = code;
    this.hint = hint;
  }
}

/**
 * Calls the control plane.
 * @param path below `/_mock`.
 * @returns the body of the answer.
 * @throws MockError for a refusal
 */
export type Ask = <Body>(method: string, path: string, input?: Input) => Promise<Body>;

interface Input {
  readonly query?: object;
  readonly body?: unknown;
}

export interface Message {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface TextReply {
  readonly status: number;
  readonly text: string;
}

/** Sends a call. @param path path and query */
export type Send = (path: string, message: Message) => Promise<TextReply>;

/** Makes the function that calls a mock. @param url the address of the mock, for messages */
export const createAsk =
  (send: Send, url: string, controlToken?: string): Ask =>
  async (method, path, { query = {}, body } = {}) => {
    const file = fileOf(body);
    const content = file === undefined ? body : { ...Object(body), scenario: await readFile(file) };
    const text = JSON.stringify(content) as string | undefined; // undefined without a body
    const reply = await send(`/_mock${path}${toQuery(query)}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(text !== undefined && { 'content-type': 'application/json' }),
        ...(controlToken !== undefined && { authorization: `Bearer ${controlToken}` }),
      },
      body: text,
    });
    if (file !== undefined && reply.status === 400) await refuseFile(file);
    return readReply(reply, url) as never; // `control.yaml` defines the type of the body
  };

/** Writes an argument as a segment of a path. @throws MockError if it is missing */
export const segment = (name: string, value: string | URL | { readonly name: string }): string => {
  const given = requireGiven(name, value);
  return encodeURIComponent(typeof given === 'object' && 'name' in given ? given.name : String(given));
};

/** Requires an argument, which untyped callers may have left out. @throws MockError if it is missing or empty */
export const requireGiven = <Value>(name: string, value: Value): Value => {
  if (value !== undefined && value !== null && value !== '') return value;
  throw invalid(`${name} is missing.`, 'Give it as an argument.');
};

const invalid = (message: string, hint: string): MockError =>
  new MockError({ code: 'INVALID_ARGUMENT', message, hint });

const toQuery = (query: object): string => {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) given.set(name, toValue(name, value));
  return given.size === 0 ? '' : `?${given}`;
};

/** Writes a query filter as a query string, and other objects as JSON. */
const toValue = (name: string, value: unknown): string => {
  if (typeof value !== 'object' || value === null) return String(value);
  return name === 'query' ? String(new URLSearchParams({ ...value })) : JSON.stringify(value);
};

/**
 * The path of a scenario file that a body names. The library reads the file, since the mock does not read files that
 * calls name.
 */
const fileOf = (body: unknown): string | undefined => {
  const scenario = valueAt(body, 'scenario');
  return typeof scenario === 'string' && !isScenarioName(scenario) ? scenario : undefined;
};

/** Reads a scenario file. Imports the reader only now, since it loads a YAML parser. */
const readFile = async (file: string): Promise<object> => {
  const { inlineScenario } = await import('../scenario/files.ts');
  return withoutScenarioError(() => inlineScenario(file));
};

/**
 * Loads a file that the mock refused, so that the message gives file, line and column; the mock saw only the values.
 */
const refuseFile = async (file: string): Promise<void> => {
  const { loadScenario } = await import('../scenario/scenario.ts');
  withoutScenarioError(() =>
    loadScenario(file, { fixturesDir: dirname(resolve(file)), workingDirectory: process.cwd() }),
  );
};

const withoutScenarioError = <Value>(read: () => Value): Value => {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ScenarioError') throw error;
    throw invalid(error.message, 'Nothing was changed.');
  }
};

/** Reads the body of a reply. @throws MockError for a refusal, and for an answer that does not come from a mock */
const readReply = ({ status, text }: TextReply, url: string): unknown => {
  const body = parseJson(text);
  if (status < 300 && typeof body === 'object') return body;
  const refusal = valueAt(body, 'error');
  if (valueAt(refusal, 'hint') !== undefined) throw new MockError(refusal as MockError);
  throw new MockError({
    code: 'UNREACHABLE',
    message: `${url} answered ${status}, but not as a mock does.`,
    hint: 'Give the address of the server, without a path.',
  });
};
