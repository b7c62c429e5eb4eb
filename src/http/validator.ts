/**
 * Validation of one operation by express-openapi-validator, made when the operation is first called.
 *
 * The package's own middleware knows a whole contract: it matches every route before the right one on each request,
 * waits for promises five times, and compiles the OpenAPI meta-schema at start. Our route match has done the first, and
 * the contract was checked before the server listened. So what the middleware is made of is put together here for a
 * single operation: the same preprocessing, request validator and response validator, with the same options.
 */
import type { NextFunction, Request, Response } from 'express';
import { AjvOptions } from 'express-openapi-validator/dist/framework/ajv/options.js';
import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { RequestValidator } from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js';
import { ResponseValidator } from 'express-openapi-validator/dist/middlewares/openapi.response.validator.js';
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import { lookUpReference, type OpenApiDocument } from '../contract/document.ts';
import type { ContractOperation } from '../contract/load.ts';
import { sliceDocument } from '../contract/slice.ts';

export type ResponseValidation = 'on' | 'report' | 'off';

/**
 * Checks a request whose query, parameters and body are in place, and prepares `response.json` to check the reply.
 * @throws what was violated, as the package tells it
 */
export type Validate = (request: Request, response: Response, path: Readonly<Record<string, string>>) => void;

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
  let validate: Validate | undefined;
  return (request, response, path) => {
    validate ??= build(document, operation, options);
    validate(request, response, path);
  };
};

const build = (
  document: OpenApiDocument,
  operation: ContractOperation,
  { responses, onReplyViolation }: ValidatorOptions,
): Validate => {
  const { method, path: route } = operation;
  // The package's type of a document names members that OpenAPI leaves optional; what it holds is one all the same.
  const slice = sliceDocument(document, operation) as unknown as OpenAPIV3.DocumentV3_1;
  const replyOptions = readReplyOptions(responses, onReplyViolation);
  const ajvOpts = new AjvOptions(packageOptions(slice, replyOptions));
  const { apiDoc, apiDocRes } = preprocess(slice, ajvOpts, replyOptions);
  const requests = new RequestValidator(apiDoc, ajvOpts.request);
  const replies =
    responses === 'off'
      ? undefined
      : new ResponseValidator(apiDocRes, ajvOpts.response, replyOptions, SERIAL).validate();
  const described = {
    expressRoute: route,
    openApiRoute: route,
    schema: apiDoc.paths?.[route]?.[method],
    _responseSchema: apiDocRes?.paths?.[route]?.[method],
    serial: SERIAL,
  };
  return (request, response, path) => {
    Object.assign(request, { openapi: { ...described, pathParams: path }, params: path });
    requests.validate(request, response, throwError);
    replies?.(request, response, (error?: unknown) => {
      if (error !== undefined) onReplyViolation(request, error);
    });
  };
};

/** Ties a request to the validator that prepared its reply; here there is one, so any number serves. */
const SERIAL = 1;

type ReplyOptions = ConstructorParameters<typeof ResponseValidator>[2] & object;

/**
 * Before it follows a reference, the package compiles the schema it leads to, only to read that schema back: a tenth of
 * a second for each operation. Here the reference is looked up.
 */
const preprocess = (slice: OpenAPIV3.DocumentV3_1, { preprocessor }: AjvOptions, replies: ReplyOptions) => {
  const given = new SchemaPreprocessor(slice, preprocessor, replies);
  const getSchema = (reference: string) => ({ schema: lookUpReference(slice, reference) });
  Object.assign(given, { ajv: { getSchema } });
  return given.preProcess();
};

const readReplyOptions = (
  responses: ResponseValidation,
  onReplyViolation: ValidatorOptions['onReplyViolation'],
): ReplyOptions => ({
  allErrors: true,
  ...(responses === 'report' && {
    onError: (error: Error, _body: unknown, request: Request) => onReplyViolation(request, error),
  }),
});

const packageOptions = (
  apiSpec: OpenAPIV3.DocumentV3_1,
  validateResponses: ReplyOptions,
): ConstructorParameters<typeof AjvOptions>[0] => ({
  apiSpec,
  validateApiSpec: false,
  validateSecurity: false,
  validateRequests: { allowUnknownQueryParameters: true, allErrors: true },
  validateResponses,
  validateFormats: true,
  ajvFormats: { mode: 'full' },
  formats: {},
  // Replies are plain values, never dates that would have to be written out first.
  serDes: [],
  $refParser: { mode: 'bundle' },
  operationHandlers: false,
  fileUploader: false,
});

const throwError: NextFunction = (error?: unknown) => {
  if (error !== undefined) throw error;
};
