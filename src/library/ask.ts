/** Calls the control plane of a mock, which is in the same process or reached over HTTP. */
import { dirname, resolve } from 'node:path';
import { inspect } from 'node:util';
import { parseJson, valueAt } from '../engine/core/object.ts';
import { isScenarioName } from '../engine/scenario/scenario.ts';
import { type Conditions, conditionProblem, jsonProblem, REQUEST_CONDITIONS } from './conditions.ts';
import { CALLS } from './generated.ts';
import type {
  ControlPath,
  ControlQuery,
  ControlReply,
  Operations,
  RequestFilter,
} from './published-types.ts';

/** The error that the methods of a mock throw, for example when the mock refuses a call. */
export class MockError extends Error {
  /** Always `MockError`. */
  override readonly name = 'MockError';
  /** The kind of error, such as `NOT_FOUND` or `INVALID_ARGUMENT`. */
  readonly code: string;
  /** What to do next. The message ends with this hint. */
  readonly hint: string;

  constructor(
    { code, message, hint }: { readonly code: string; readonly message: string; readonly hint: string },
    options?: { readonly cause: unknown },
  ) {
    super(`${message} ${hint}`, options);
    this.code = code;
    this.hint = hint;
  }
}

/** What a call of the control plane sends. */
interface CallInput<Id extends keyof Operations> {
  readonly path?: Partial<ControlPath<Id>>;
  readonly query?: ControlQuery<Id>;
  readonly body?: object;
}

/** Calls an operation of the control plane by its id. @throws MockError for a refusal */
export type Ask = <Id extends keyof Operations>(id: Id, input?: CallInput<Id>) => Promise<ControlReply<Id>>;

export interface Message {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface TextReply {
  readonly status: number;
  readonly text: string;
}

/** Sends a call to the mock. @param path the path and the query string */
export type Send = (path: string, message: Message) => Promise<TextReply>;

/** Creates a function that calls the control plane of a mock. @param url the address of the mock, for error messages */
export const createAsk =
  (send: Send, url: string, controlToken?: string): Ask =>
  async (id, { path = {}, query = {}, body } = {}) => {
    const problem = body && jsonProblem(body, '');
    if (problem) throw invalid(problem, 'Give plain objects and lists, texts, numbers, true, false or null.');
    const file = fileOf(body);
    const content = file === undefined ? body : { ...Object(body), scenario: await readFile(file) };
    const text = JSON.stringify(content) as string | undefined; // `stringify` returns undefined for undefined, contrary to its type
    const [method = '', template = ''] = CALLS[id].split(' ');
    const filled = template.replace(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(valueAt(path, name) as string),
    );
    const reply = await send(`/_mock${filled}${toQuery(query)}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(text !== undefined && { 'content-type': 'application/json' }),
        ...(controlToken !== undefined && { authorization: `Bearer ${controlToken}` }),
      },
      body: text,
    });
    if (file !== undefined && reply.status === 400) await refuseFile(file);
    return readReply(reply, url) as never; // the cast is safe: each caller states the body's type, which `control.yaml` defines
  };

/** The text of an argument. @throws MockError if it is missing, or no string, URL or named object */
export const requireText = (name: string, value: string | URL | { readonly name: string }): string => {
  const given: unknown = requireGiven(name, value);
  const text = Object(given).href ?? Object(given).name ?? given; // a URL of another realm is not `instanceof URL`
  if (typeof text === 'string') return text;
  throw wrongType(name, given, 'a string');
};

/** @throws MockError if the argument is missing or empty */
export const requireGiven = <Value>(name: string, value: Value): Value => {
  if (value !== undefined && value !== null && value !== '') return value;
  throw invalid(`${name} is missing.`, `Pass ${name} as an argument.`);
};

/** @throws MockError for anything but an object, since it would have no members */
export const requireObject = <Value extends object>(name: string, value: Value): Value => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw wrongType(name, value, 'an object');
};

const wrongType = (name: string, value: unknown, type: string): MockError =>
  invalid(`${name} is ${inspect(value, { depth: 0 })}, but must be ${type}.`, `Pass ${name} as ${type}.`);

export const invalid = (message: string, hint: string): MockError =>
  new MockError({ code: 'INVALID_ARGUMENT', message, hint });

const toQuery = (query: object): string => {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'object' && !Array.isArray(value))
      throw invalid(`${name} is an object, but must be a string.`, `Pass ${name} as a string.`);
    if (value !== undefined) given.set(name, String(value));
  }
  return given.size === 0 ? '' : `?${given}`;
};

/** Writes a filter as a query: a query that the calls must have as a query string, and their body as JSON. */
export const toQueryOf = (filter: RequestFilter): ControlQuery<'listRequests'> => {
  const { query, body, since, ...others } = requireConditions(filter, REQUEST_CONDITIONS);
  const text = query && String(new URLSearchParams(query));
  return {
    ...others,
    ...(text && { query: text }),
    ...(body && { body: JSON.stringify(body) }),
    ...toSince(since),
  };
};

/** @throws TypeError for an unknown name; MockError for a condition that could not be obeyed (behaviour N6) */
export const requireConditions = <Given extends object>(given: Given, conditions: Conditions): Given => {
  const problem = conditionProblem(given, conditions);
  if (problem === undefined) return given;
  throw invalid(problem, 'Correct it, or leave it out.');
};

export const toSince = (since: string | Date | undefined): { readonly since?: string } =>
  since === undefined ? {} : { since: typeof since === 'string' ? since : since.toISOString() };

/** The path in `body.scenario`, if any. The control plane refuses paths, so `createAsk` sends the file's content. */
const fileOf = (body: unknown): string | undefined => {
  const scenario = valueAt(body, 'scenario');
  return typeof scenario === 'string' && !isScenarioName(scenario) ? scenario : undefined;
};

/** Imports on demand, because `files.ts` imports a YAML parser. */
const readFile = async (file: string): Promise<object> => {
  const { inlineScenario } = await import('../engine/scenario/scenario-files.ts');
  const { service } = await import('../service/index.ts');
  return withoutScenarioError(() => inlineScenario(service, file));
};

/** Loads a file that the mock refused, to throw an error with line and column, which the mock's refusal lacks. */
const refuseFile = async (file: string): Promise<void> => {
  const { loadScenario } = await import('../engine/scenario/load-scenario.ts');
  const { service } = await import('../service/index.ts');
  withoutScenarioError(() =>
    loadScenario(file, { service, fixturesDir: dirname(resolve(file)), workingDirectory: process.cwd() }),
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

/** Reads the body of a reply. @throws MockError for a refusal, or for a reply that is not from a mock */
const readReply = ({ status, text }: TextReply, url: string): unknown => {
  const body = parseJson(text);
  if (status < 300 && typeof body === 'object') return body;
  const refusal = valueAt(body, 'error');
  if (valueAt(refusal, 'hint') !== undefined) throw new MockError(refusal as MockError);
  throw new MockError({
    code: 'UNREACHABLE',
    message: `${url} answered ${status}, but the reply is not from a mock.`,
    hint: 'Give the address of the server, without a path.',
  });
};
