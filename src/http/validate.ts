/** Requests and replies, checked by express-openapi-validator's own middleware. */
import type { RequestHandler } from 'express';
import { middleware } from 'express-openapi-validator';
import { toCheckedDocument } from '../openapi/checked.ts';
import type { OpenApiDocument } from '../openapi/document.ts';
import { FORMATS } from '../openapi/formats.ts';
import type { Contract, ContractOperation } from '../openapi/load.ts';
import { setReplyCheck } from './reply.ts';

/** What becomes of a reply that breaks the contract: answered with 500 instead, reported, or not looked for. */
export type ResponseValidation = 'on' | 'report' | 'off';

export interface ValidationOptions {
  readonly validateResponses: ResponseValidation;
  /** Called for every reply that breaks the contract, whether it is sent or not. */
  readonly onReplyViolation: (request: Parameters<RequestHandler>[0], error: Error) => void;
}

type PackageOptions = Parameters<typeof middleware>[0];

/**
 * The step that checks the calls of an operation, made at the first of them. It wants `request.body` parsed before, fills in
 * defaults, and gives `request.params` and `request.query` their types.
 */
export const createValidate = (
  { document }: Contract<string>,
  operation: ContractOperation<string>,
  options: ValidationOptions,
): RequestHandler => {
  let check: RequestHandler | undefined;
  return (request, response, next) => {
    check ??= inTurn(middleware(packageOptions(toCheckedDocument(document, operation), options)));
    check(request, response, next);
  };
};

/**
 * The steps of the package as one; a router would leave through the event loop. The last of them wraps `response.json`: there
 * it gets a function that writes nothing, so that a reply is checked first and written by whoever asked. What it finds wrong
 * it tells to its own `next`.
 */
const inTurn =
  (steps: readonly RequestHandler[]): RequestHandler =>
  (request, response, next) => {
    let broken: unknown;
    const goTo = (index: number): void => {
      const step = steps[index];
      if (!step) {
        next();
        return;
      }
      let isDone = false;
      step(request, response, (error?: unknown) => {
        if (isDone) broken = error;
        else if (error !== undefined) next(error);
        else {
          isDone = true;
          goTo(index + 1);
        }
      });
    };
    response.json = () => response;
    setReplyCheck(response, (status, body) => {
      broken = undefined;
      response.status(status).json(body);
      if (broken !== undefined) throw broken;
    });
    goTo(0);
  };

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
