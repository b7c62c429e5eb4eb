/**
 * Validation of one operation by express-openapi-validator, made when the operation is first called.
 *
 * One instance for the whole contract matches every route before the right one on each request, and compiles the
 * OpenAPI meta-schema at start. An instance that knows a single operation does neither. It is handed the loaded
 * contract where its own loader would hand it a file; the contract was checked before the server listened.
 */
import type { NextFunction, Request, Response } from 'express';
import { OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js';
import type { OpenApiDocument } from '../contract/document.ts';
import type { ContractOperation } from '../contract/load.ts';
import { sliceDocument } from '../contract/slice.ts';

export type ResponseValidation = 'on' | 'report' | 'off';

/** Checks a request, and prepares `response.json` to check the reply. Rejects with what was violated. */
export type Validate = (request: Request, response: Response) => Promise<void>;

type Spec = Awaited<Parameters<OpenApiValidator['installMiddleware']>[0]>;
type Middleware = (request: Request, response: Response, next: NextFunction) => unknown;

export interface ValidatorOptions {
  readonly responses: ResponseValidation;
  /** Told of every reply that breaks the contract; one that is not sent for it is told here too. */
  readonly onReplyViolation: (request: Request, error: unknown) => void;
}

export const createValidator = (
  document: OpenApiDocument,
  operation: ContractOperation,
  options: ValidatorOptions,
): Validate => {
  let chain: readonly Middleware[] | undefined;
  return (request, response) => {
    chain ??= createChain(document, operation, options);
    return passThrough(chain, request, response, options.onReplyViolation);
  };
};

/** Runs the chain to its end. What it says after that is about the reply, which it held back. */
const passThrough = (
  chain: readonly Middleware[],
  request: Request,
  response: Response,
  onReplyViolation: ValidatorOptions['onReplyViolation'],
): Promise<void> =>
  new Promise((resolve, reject) => {
    let done = 0;
    let isValid = false;
    const next = (error?: unknown): void => {
      if (isValid) onReplyViolation(request, error);
      else if (error !== undefined) reject(error);
      else advance();
    };
    const advance = (): void => {
      const middleware = chain[done];
      done += 1;
      if (middleware) {
        middleware(request, response, next);
        return;
      }
      isValid = true;
      resolve();
    };
    advance();
  });

const createChain = (
  document: OpenApiDocument,
  operation: ContractOperation,
  { responses, onReplyViolation }: ValidatorOptions,
): readonly Middleware[] => {
  // EOV's type of a document names members that OpenAPI leaves optional; the contract was checked when it was loaded.
  const apiDoc = sliceDocument(document, operation) as unknown as Spec['apiDoc'];
  const validator = new OpenApiValidator({
    apiSpec: apiDoc,
    validateApiSpec: false,
    validateSecurity: false,
    validateRequests: { allowUnknownQueryParameters: true, allErrors: true },
    validateResponses:
      responses === 'off'
        ? false
        : responses === 'on'
          ? { allErrors: true }
          : { allErrors: true, onError: (error, _body, request) => onReplyViolation(request, error) },
    ajvFormats: { mode: 'full' },
    fileUploader: false,
  });
  return validator.installMiddleware(Promise.resolve(toSpec(apiDoc, operation)));
};

/** What EOV's loader makes of a document: here always with one route, so that nothing has to be matched or sorted. */
const toSpec = (apiDoc: Spec['apiDoc'], { path, method, parameters }: ContractOperation): Spec => ({
  apiDoc,
  basePaths: [''],
  routes: [
    {
      basePath: '',
      openApiRoute: path,
      expressRoute: path
        .split(':')
        .map((part) => part.replace(/\{([^}]+)\}/g, ':$1'))
        .join('\\:'),
      method: method.toUpperCase(),
      pathParams: parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
    },
  ],
  serial: 1,
});
