/** Requests and replies, checked by express-openapi-validator's own middleware. */
import type { Request, RequestHandler, Response } from 'express';
import { middleware } from 'express-openapi-validator';
import { type FieldViolation, Refusal, refuse } from '../core/errors.ts';
import { toCheckedDocument } from '../openapi/checked.ts';
import type { OpenApiDocument } from '../openapi/document.ts';
import { FORMATS } from '../openapi/formats.ts';
import type { Contract, ContractOperation } from '../openapi/load.ts';
import { bodyOf } from '../openapi/members.ts';
import { sendText } from './send-text.ts';
import { describeViolations, type Input, isValidatorError } from './violations.ts';

/** What becomes of a reply that breaks the contract: answered with 500 instead, reported, or not looked for. */
export type ResponseValidation = 'on' | 'report' | 'off';

export interface ValidationOptions {
  readonly validateResponses: ResponseValidation;
  /** Called for every reply that breaks the contract, whether it is sent or not. */
  readonly onReplyViolation: (request: Pick<Request, 'method' | 'url'>, error: Error) => void;
}

/** What a call sent, by the contract's names. */
export interface SentInput {
  readonly query: Record<string, string | string[]>;
  readonly body: unknown;
  /** What is wrong with it already, to be refused together with what the validator finds. */
  readonly problems: readonly FieldViolation[];
}

/** @throws Refusal 400 for all that breaks the contract, and for the problems found before */
export type Validate = (request: Request, response: Response, sent: SentInput) => Promise<Input>;

/** The validator is made at the first call of the operation. */
export const createValidate = (
  contract: Contract<string>,
  operation: ContractOperation<string>,
  options: ValidationOptions,
): Validate => {
  const { document } = contract;
  const headers = { 'content-type': bodyOf(document, operation.definition)?.kind };
  let steps: readonly RequestHandler[] | undefined;
  return async ({ method, url }, response, { query, body, problems }) => {
    steps ??= middleware(packageOptions(toCheckedDocument(document, operation), options));
    const asked = {
      ...{ method, url, originalUrl: url, path: url.replace(/\?.*/s, ''), baseUrl: '' },
      ...{ headers, query, body, params: {}, app: { enabled: () => true, param: () => {} } },
    };
    const reply = createReply();
    // It reads and writes no more of a request and a response than these have.
    const errorOf = await pass(steps, asked as unknown as Request, reply as unknown as Response);
    const broken = errorOf();
    const input = { path: asked.params, query: asked.query, body: asked.body };
    if (broken !== undefined && !isValidatorError(broken)) throw broken;
    refuse(
      withoutRepeats(problems, broken ? describeViolations(contract, operation, broken.errors, input) : []),
    );
    response.locals.checkReply = (status: number, answer: unknown): void => {
      reply.status(status).json(answer);
      if (errorOf() !== undefined) throw replyRefused(operation.operationId);
    };
    return input;
  };
};

/** A field with a problem of its own breaks the contract because of it. */
const withoutRepeats = (
  problems: readonly FieldViolation[],
  violations: readonly FieldViolation[],
): readonly FieldViolation[] => {
  const fields = new Set(problems.map(({ field }) => field));
  return [...violations.filter(({ field }) => !fields.has(field)), ...problems];
};

/** A response that sends nothing: the package checks what it is given as JSON. */
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
 * Asks the package's steps one after the other, up to the first that finds something wrong.
 * @returns gives what the last one found; the last step calls back again for a reply that breaks the contract
 */
const pass = async (
  steps: readonly RequestHandler[],
  request: Request,
  response: Response,
): Promise<() => unknown> => {
  let error: unknown;
  for (const step of steps) {
    await new Promise<void>((resolve) => {
      step(request, response, (found?: unknown) => {
        error = found;
        resolve();
      });
    });
    if (error !== undefined) break;
  }
  return () => error;
};

/** Checks the reply to a call whose input was valid. @throws Refusal 500 if it breaks the contract (`--validate-responses on`) */
export const requireValidReply = ({ locals }: Response, status: number, body: unknown): void =>
  locals.checkReply?.(status, body);

const replyRefused = (operation: string): Refusal =>
  new Refusal(
    'INTERNAL_ERROR',
    `The mock's own reply to ${operation} broke the contract, so it was not sent and nothing was changed.`,
    'The log says how; please report it.',
  );

export const sendJson = (response: Response, status: number, body: unknown): void => {
  requireValidReply(response, status, body);
  sendText(response.status(status).type('json'), JSON.stringify(body));
};

type PackageOptions = Parameters<typeof middleware>[0];

/** Fresh for every middleware: the package keeps and changes what it is given. */
export const packageOptions = (document: OpenApiDocument, options: ValidationOptions): PackageOptions => ({
  // The package's type names members that OpenAPI leaves optional; what it is given was read from YAML.
  apiSpec: document as unknown as Exclude<PackageOptions['apiSpec'], string>,
  validateApiSpec: false,
  // Else every schema that another refers to is compiled once more.
  $refParser: { mode: 'dereference' },
  validateSecurity: false,
  validateRequests: { allowUnknownQueryParameters: true, allErrors: true },
  validateResponses: options.validateResponses !== 'off' && {
    allErrors: true,
    onError: (error, _body, request) => {
      options.onReplyViolation(request, error);
      if (options.validateResponses === 'on') throw error;
    },
  },
  ajvFormats: { mode: 'full' },
  formats: FORMATS,
  fileUploader: false,
  // So that a plane can be mounted below any path.
  useRequestUrl: true,
});
