/** Checks requests and replies with express-openapi-validator's own middleware. */
import { promisify } from 'node:util';
import type { NextFunction, Request, Response } from 'express';
import { middleware } from 'express-openapi-validator';
import type { OpenApiDocument, OperationObject } from '../contract/document.ts';
import type { Contract, ContractOperation } from '../contract/load.ts';
import { mediaOf } from '../contract/members.ts';
import { FORMATS } from '../contract/words.ts';
import { type FieldViolation, Refusal, refuse } from '../core/errors.ts';
import { type JsonObject, lazily, valueAt } from '../core/object.ts';
import { type CheckedInput, describeViolations, type ValidatorError } from './violations.ts';

/**
 * What happens to a reply that breaks the contract: with `on` it becomes a 500, with `report` it is reported and
 * sent, and with `off` no reply is checked.
 */
export type ResponseValidation = 'on' | 'report' | 'off';

export interface ValidationOptions {
  readonly validateResponses: ResponseValidation;
  /** Called for every reply that breaks the contract, whether it is sent or not. */
  readonly onReplyViolation: (request: Pick<Request, 'method' | 'url'>, error: Error) => void;
}

/** The input of a call, with all names in the contract's spelling, and problems found before validation. */
interface SentInput extends Pick<CheckedInput, 'query' | 'body'> {
  readonly problems: readonly FieldViolation[];
}

/** Checks the reply to a call whose input was valid. @throws Refusal 500 if it breaks the contract (`--validate-responses on`) */
export type CheckReply = (status: number, body: unknown) => void;

/**
 * Creates a function that checks each call of an operation; the first check in a process builds the validator. A failed
 * check throws one refusal that lists the `problems` already found and everything in the input that breaks the contract.
 */
export const createValidate = (
  contract: Contract<string>,
  operation: ContractOperation<string>,
  { validateResponses, onReplyViolation }: ValidationOptions,
) => {
  const makeSteps = stepsOf(contract);
  return async ({ method, url }: Request, { query, body, problems }: SentInput) => {
    const asked = toAsked(method, withoutFragment(url), operation.kind, query, body);
    const reply = createReply();
    const errors = await findErrors(makeSteps(operation), asked, reply);
    const input: CheckedInput = { path: asked.params, query: asked.query, body: asked.body };
    if (errors.length > 0 || problems.length > 0) {
      // Leaves out violations of a field that already has a problem, since that problem causes them.
      const fields = new Set(problems.map(({ field }) => field));
      const violations = describeViolations(operation, errors, input);
      refuse([...violations.filter(({ field }) => !fields.has(field)), ...problems]);
    }
    const checkReply: CheckReply = (status, answer) => {
      if (validateResponses === 'off') return;
      reply.statusCode = status;
      reply.json(answer);
      const { broken } = asked;
      if (!broken) return;
      asked.broken = undefined; // told once: the 500 that takes the reply's place is not about it
      onReplyViolation({ method, url }, broken);
      if (validateResponses === 'on') throw replyRefused(operation.operationId);
    };
    return { input, checkReply };
  };
};

const replyRefused = (operation: string): Refusal => {
  const problem = `The mock's own reply to ${operation} broke the contract, so it was not sent and nothing was changed.`;
  return new Refusal('INTERNAL_ERROR', problem, 'The log has the details. Please report them.');
};

// The validator's side: what it takes for a request and a response, its steps, and its own document for each operation.

/** Stands in for the request: what the validator reads, and what `onError` finds wrong with the reply. */
const toAsked = (method: string, url: string, kind: string | undefined, query: unknown, body: unknown) => ({
  headers: { 'content-type': kind },
  app: { enabled: () => true, param: () => {} },
  broken: undefined as Error | undefined,
  method,
  url,
  originalUrl: url,
  path: url.replace(/\?.*/s, ''),
  baseUrl: '',
  params: {},
  query,
  body,
});

/** The router takes the path without a fragment, too. */
const withoutFragment = (url: string): string => url.replace(/#.*/s, '');

type Asked = ReturnType<typeof toAsked>;

/** Stands in for the response: the validator adds its check to `json()`, and nothing is sent. */
const createReply = () => ({
  statusCode: 200,
  headersSent: false,
  getHeaders: () => ({ 'content-type': 'application/json' }),
  json: (_body: unknown): void => {},
});

/** Runs the validator's steps. @returns the problems of the request @throws every other error */
const findErrors = async (
  steps: ReturnType<ReturnType<typeof stepsOf>>,
  asked: Asked,
  reply: ReturnType<typeof createReply>,
): Promise<readonly ValidatorError[]> => {
  try {
    // The casts are safe: both have all members that the validator uses.
    for (const step of steps) await step(asked as unknown as Request, reply as unknown as Response);
    return [];
  } catch (error) {
    const errors = valueAt(error, 'errors');
    if (valueAt(error, 'status') !== 400 || !Array.isArray(errors)) throw error;
    return errors;
  }
};

/** @throws Error if this Node cannot compile the checks of a document */
const requireCompiler = (): void => {
  try {
    new Function();
  } catch (cause) {
    const problem =
      'Node runs with --disallow-code-generation-from-strings, but the mock compiles its checks.';
    throw new Error(`${problem} Start it without this flag; NODE_OPTIONS may hold it.`, { cause });
  }
};

/** The steps of each operation's validator. They take long to make, so all mocks of a process share them. */
const stepsOf = lazily(({ document }: Contract<string>) => {
  requireCompiler();
  return lazily((operation: ContractOperation<string>) =>
    middleware(packageOptions(toCheckedDocument(document, operation))).map((step) =>
      // Node 22 and later warn of a promisified function that returns a promise.
      promisify((request: Request, response: Response, done: NextFunction) => {
        step(request, response, done);
      }),
    ),
  );
});

/**
 * Copies the part of the document that one operation needs, because the validator compiles and changes everything
 * that it receives. A GET operation is also copied as HEAD, so that both get the same checks (behaviour T6). A query value
 * can have any character (behaviour T7).
 */
const toCheckedDocument = (
  { openapi, info }: OpenApiDocument,
  { path, method, parameters, definition }: ContractOperation<string>,
): OpenApiDocument => {
  const checked = {
    ...definition,
    parameters: parameters.map((one) => (one.in === 'query' ? { ...one, allowReserved: true } : one)),
    responses: distinctResponses(definition),
  };
  const paths = { [path]: { [method]: checked, ...(method === 'get' && { head: checked }) } };
  return JSON.parse(JSON.stringify({ openapi, info, paths }));
};

/** Leaves out responses with the same schema as `default`. For each, the validator would compile that schema again. */
const distinctResponses = ({ responses }: OperationObject): object => {
  const usual = mediaOf(responses.default)?.schema;
  const isDistinct = ([status, response]: [string, JsonObject]): boolean =>
    status === 'default' || mediaOf(response)?.schema !== usual;
  return Object.fromEntries(Object.entries(responses).filter(isDistinct));
};

type PackageOptions = Parameters<typeof middleware>[0];

/** Options for one middleware: a new object each time, because the validator changes the object. */
const packageOptions = (document: OpenApiDocument): PackageOptions => ({
  // The cast is safe: the type requires members, such as `webhooks`, that the validator does not need.
  apiSpec: document as unknown as Exclude<PackageOptions['apiSpec'], string>,
  validateApiSpec: false,
  $refParser: { mode: 'dereference' },
  validateSecurity: false,
  validateRequests: { allowUnknownQueryParameters: true, allErrors: true },
  validateResponses: {
    allErrors: true,
    onError: (error, _body, request) => {
      (request as unknown as Asked).broken = error; // the cast is safe: the validator passes on what it was given
    },
  },
  ajvFormats: { mode: 'full' },
  formats: FORMATS,
  fileUploader: false,
  useRequestUrl: true, // lets the app mount the operations below any path
});
