/** Calls the control plane of a mock, which is in the same process or reached over HTTP. */
import { dirname, resolve } from 'node:path';
import type { operations as OwnOperations } from '../console/calls/generated.ts';
import type { AnswerOf, InputOf } from '../engine/contract/types.ts';
import type { operations } from '../engine/control/generated.ts';
import { show } from '../engine/core/contains.ts';
import { parseJson, valueAt } from '../engine/core/object.ts';
import { isScenarioName } from '../engine/scenario/scenario.ts';
import { CALLS } from './generated.ts';
import { invalid, jsonProblem, MockError } from './given.ts';
import { isDate } from './option.ts';

/** The calls of the control plane, and three of the console. */
export type Operations = operations & Pick<OwnOperations, 'getRow' | 'exportScenario' | 'getRun'>;

export type ControlQuery<Id extends keyof Operations> = InputOf<Operations[Id]>['query'];
/** The JSON of a successful reply of the control plane. */
export type ControlReply<Id extends keyof Operations> = Exclude<
  Extract<AnswerOf<Operations[Id]>, { readonly status: 200 | 201 }>['body'],
  string // text, which the library never asks for
>;

/** Calls an operation of the control plane by its id. @throws MockError for a refusal */
export type Ask = <Id extends keyof Operations>(
  id: Id,
  input?: {
    readonly path?: Partial<InputOf<Operations[Id]>['path']>;
    readonly query?: {
      readonly [Key in keyof ControlQuery<Id>]: ControlQuery<Id>[Key] | Date | undefined;
    };
    readonly body?: object;
  },
) => Promise<ControlReply<Id>>;

/** Sends a call to the mock. @param path the path and the query string */
export type Send = (
  path: string,
  message: { method: string; headers: Readonly<Record<string, string>>; body: string | undefined },
) => Promise<{ status: number; text: string }>;

/** @param url the address of the mock, for error messages */
export const createAsk =
  (send: Send, url: string, controlToken?: string): Ask =>
  async (id, { path = {}, query = {}, body } = {}) => {
    const problem = body && jsonProblem(body, '');
    if (problem) throw invalid(problem, 'Give plain objects and lists, texts, numbers, true, false or null.');
    const scenario = valueAt(body, 'scenario');
    // The control plane refuses paths, so it gets the file's content.
    const file = typeof scenario === 'string' && !isScenarioName(scenario) ? scenario : undefined;
    const content = file === undefined ? body : { ...body, scenario: await readFile(file) };
    const text = JSON.stringify(content) as string | undefined; // `stringify` returns undefined for undefined, contrary to its type
    const [method = '', route = ''] = CALLS[id].split(' ');
    const filled = route.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(valueAt(path, name))));
    const search = toQuery(query);
    const { status, text: reply } = await send(`/_mock${filled}${search && `?${search}`}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(text !== undefined && { 'content-type': 'application/json' }),
        ...(controlToken !== undefined && { authorization: `Bearer ${controlToken}` }),
      },
      body: text,
    });
    if (file !== undefined && status === 400) await readFile(file, true);
    return readReply(status, reply, url) as never; // the cast is safe: `control.yaml` defines the body's type
  };

/** A query string, without "?". @throws MockError for a value that is an object or a list */
export const toQuery = (query: object): string => {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const written = isDate(value) ? value.toISOString() : value;
    if (typeof written === 'object')
      throw invalid(`${name} is ${show(written)}, but must be a string.`, `Pass ${name} as a string.`);
    if (written !== undefined) given.set(name, String(written));
  }
  return String(given);
};

/** @param isRefused whether the mock refused the scenario: loading the file tells line and column, which the refusal lacks */
const readFile = async (file: string, isRefused = false): Promise<object> => {
  // Imported on demand, because these load a YAML parser.
  const { inlineScenario } = await import('../engine/scenario/scenario-files.ts');
  const { loadScenario } = await import('../engine/scenario/load-scenario.ts');
  const { service } = await import('../service/index.ts');
  const places = { fixturesDir: dirname(resolve(file)), workingDirectory: process.cwd() };
  try {
    if (isRefused) loadScenario(file, { service, ...places });
    return inlineScenario(service, file);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ScenarioError') throw error;
    throw invalid(error.message, 'Nothing was changed.');
  }
};

/** @throws MockError for a refusal, or for a reply that is not from a mock */
const readReply = (status: number, text: string, url: string): unknown => {
  const body = parseJson(text);
  if (status < 300 && typeof body === 'object') return body;
  const refusal = valueAt(body, 'error');
  if (valueAt(refusal, 'hint') !== undefined) throw new MockError(refusal as MockError);
  const message = `${url} answered ${status}, but the reply is not from a mock.`;
  const hint = 'Give the address of the server, without a path.';
  throw new MockError({ code: 'UNREACHABLE', message, hint });
};
