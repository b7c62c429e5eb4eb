/** Checks requests and replies with express-openapi-validator's own middleware. */
import type { Request, RequestHandler, Response } from 'express';
import { middleware } from 'express-openapi-validator';
import type { JsonObject, OpenApiDocument, OperationObject, ParameterObject } from '../contract/document.ts';
import type { Contract, ContractOperation } from '../contract/load.ts';
import { lazily, mediaOf, surfacesOf } from '../contract/members.ts';
import { FORMATS } from '../contract/words.ts';
import { type FieldViolation, Refusal, refuse } from '../core/errors.ts';
import { valueAt } from '../core/object.ts';
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

/** The input of a call, with all names in the contract's spelling. */
export interface SentInput {
  readonly query: Record<string, string | string[]>;
  readonly body: unknown;
  /** Problems found before validation. The validator adds its own, so that one refusal lists them all. */
  readonly problems: readonly FieldViolation[];
}

/**
 * Checks the reply to a call whose input was valid.
 * @throws Refusal 500 if the reply breaks the contract (`--validate-responses on`)
 */
export type CheckReply = (status: number, body: unknown) => void;

interface Validated {
  readonly input: CheckedInput;
  readonly checkReply: CheckReply;
}

/**
 * Creates a function that checks each call of an operation; the first check in a process builds the validator. A failed
 * check throws one refusal that lists the `problems` already found and everything in the input that breaks the contract.
 */
export const createValidate = (
  contract: Contract<string>,
  operation: ContractOperation<string>,
  options: ValidationOptions,
) => {
  const surface = surfacesOf(contract)(operation.operationId);
  const makeSteps = stepsOf(contract);
  return async (request: Request, { query, body, problems }: SentInput): Promise<Validated> => {
    const asked = toAsked(options, request, surface.kind, { query, body });
    const reply = createReply();
    const errorOf = await pass(makeSteps(operation), asked, reply);
    const broken = errorOf();
    const input = { path: asked.params, query: asked.query, body: asked.body };
    if (broken !== undefined && !isValidatorError(broken)) throw broken;
    if (broken || problems.length > 0) {
      const violations = broken ? describeViolations(surface, broken.errors, input) : [];
      // Leaves out violations of a field that already has a problem, since that problem causes them.
      const fields = new Set(problems.map(({ field }) => field));
      refuse([...violations.filter(({ field }) => !fields.has(field)), ...problems]);
    }
    const checkReply: CheckReply = (status, answer) => {
      if (options.validateResponses === 'off') return;
      reply.status(status).json(answer);
      if (errorOf() !== undefined) throw replyRefused(operation.operationId);
    };
    return { input, checkReply };
  };
};

const replyRefused = (operation: string): Refusal =>
  new Refusal(
    'INTERNAL_ERROR',
    `The mock's own reply to ${operation} broke the contract, so it was not sent and nothing was changed.`,
    'The log has the details. Please report them.',
  );

/** Whether an error is the validator's list of problems in a request. */
const isValidatorError = (error: unknown): error is { readonly errors: readonly ValidatorError[] } =>
  valueAt(error, 'status') === 400 && valueAt(error, 'errors', 0) !== undefined;

// The validator's side: what it takes for a request and a response, its steps, and its own document for each operation.

/** Stands in for the request: what the validator reads, and what tells its `onError` which mock asks. */
const toAsked = (
  options: ValidationOptions,
  { method, url }: Request,
  kind: string | undefined,
  input: Pick<SentInput, 'query' | 'body'>,
) => ({
  options,
  method,
  url,
  originalUrl: url,
  path: url.replace(/\?.*/s, ''),
  baseUrl: '',
  headers: { 'content-type': kind },
  app: { enabled: () => true, param: () => {} },
  params: {},
  ...input,
});

type Asked = ReturnType<typeof toAsked>;

/** Stands in for the response: the validator adds its check to `json()`, and nothing is sent. */
const createReply = () => ({
  statusCode: 200,
  headersSent: false,
  getHeaders: () => ({ 'content-type': 'application/json' }),
  status(code: number) {
    this.statusCode = code;
    return this;
  },
  json(_body: unknown) {
    return this;
  },
});

/**
 * Runs the validator's steps in turn, until one finds an error.
 * @returns a function that returns the latest error, which can come from the check of the reply in `response.json()`
 */
const pass = (
  steps: readonly RequestHandler[],
  asked: Asked,
  reply: ReturnType<typeof createReply>,
): Promise<() => unknown> =>
  new Promise((resolve) => {
    let error: unknown;
    const run = (nth: number): void => {
      const step = steps[nth];
      if (step === undefined || error !== undefined) resolve(() => error);
      // The casts are safe: both have all members that the validator uses.
      else
        step(asked as unknown as Request, reply as unknown as Response, (found?: unknown) => {
          error = found;
          run(nth + 1);
        });
    };
    run(0);
  });

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
  return lazily((operation: ContractOperation<string>): readonly RequestHandler[] =>
    middleware(packageOptions(toCheckedDocument(document, operation))),
  );
});

/**
 * Copies the parts of the document that one operation needs, because the validator compiles and changes everything
 * that it receives. A GET operation is also copied as HEAD, so that both get the same checks (behaviour T6).
 */
const toCheckedDocument = (
  document: OpenApiDocument,
  { path, method, parameters, definition }: ContractOperation<string>,
): OpenApiDocument => {
  const responses = distinctResponses(document, definition.responses);
  const checked = { ...definition, parameters: parameters.map(withReserved), responses };
  const slice = {
    openapi: document.openapi,
    info: document.info,
    paths: { [path]: { [method]: checked, ...(method === 'get' && { head: checked }) } },
    components: componentsOf(document, checked),
  };
  return JSON.parse(JSON.stringify(slice));
};

/** All components that a part of a document needs, directly or through other components. */
const componentsOf = (document: OpenApiDocument, part: object): object => {
  const components: Record<string, Record<string, JsonObject>> = {};
  const add = (value: object): void => {
    for (const [, section = '', name = ''] of JSON.stringify(value).matchAll(REFERENCE)) {
      const component = document.components[section]?.[name];
      if (!component || components[section]?.[name]) continue;
      components[section] = { ...components[section], [name]: component };
      add(component);
    }
  };
  add(part);
  return components;
};

const REFERENCE = /"\$ref":"#\/components\/([^"/]+)\/([^"]+)"/g;

/** Allows any character in a query value (behaviour T7). */
const withReserved = (parameter: ParameterObject): object =>
  parameter.in === 'query' ? { ...parameter, allowReserved: true } : parameter;

/** Leaves out responses with the same schema as `default`. For each, the validator would compile that schema again. */
const distinctResponses = (document: OpenApiDocument, responses: OperationObject['responses']): object => {
  const schemaOf = (response: JsonObject | undefined): string =>
    JSON.stringify(mediaOf(document, response) ?? null);
  const usual = schemaOf(responses.default);
  return Object.fromEntries(
    Object.entries(responses).filter(
      ([status, response]) => status === 'default' || schemaOf(response) !== usual,
    ),
  );
};

type PackageOptions = Parameters<typeof middleware>[0];

/** Options for one middleware: a new object each time, because the validator changes the object. */
const packageOptions = (document: OpenApiDocument): PackageOptions => ({
  // The cast is safe: the type requires members, such as `webhooks`, that the validator does not need.
  apiSpec: document as unknown as Exclude<PackageOptions['apiSpec'], string>,
  validateApiSpec: false,
  // Otherwise the validator would compile a schema again for every reference to that schema.
  $refParser: { mode: 'dereference' },
  validateSecurity: false,
  validateRequests: { allowUnknownQueryParameters: true, allErrors: true },
  validateResponses: {
    allErrors: true,
    onError: (error, _body, request) => {
      const { options } = request as unknown as Asked; // the cast is safe: the validator passes on what it was given
      options.onReplyViolation(request, error);
      if (options.validateResponses === 'on') throw error;
    },
  },
  ajvFormats: { mode: 'full' },
  formats: FORMATS,
  fileUploader: false,
  // Lets the app mount the operations below any path.
  useRequestUrl: true,
});
