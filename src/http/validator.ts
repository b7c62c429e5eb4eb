/**
 * Validation of one operation by express-openapi-validator, made when the operation is first called.
 *
 * The package's own middleware knows a whole contract: it matches every route before the right one on each request,
 * waits for promises five times, reads query and content type again, and compiles the OpenAPI meta-schema at start. Our
 * route match and query reader have done the first, and the contract was checked before the server listened. So what
 * compiles is taken from the package: its preprocessing of a contract, its parsers of parameters and bodies, its
 * validators with the formats and keywords of OpenAPI, and its telling of errors, with the options it would have.
 */
import { createRequestAjv } from 'express-openapi-validator/dist/framework/ajv/index.js';
import { AjvOptions } from 'express-openapi-validator/dist/framework/ajv/options.js';
import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { ResponseValidator } from 'express-openapi-validator/dist/middlewares/openapi.response.validator.js';
import { BodySchemaParser } from 'express-openapi-validator/dist/middlewares/parsers/body.parse.js';
import { ParametersSchemaParser } from 'express-openapi-validator/dist/middlewares/parsers/schema.parse.js';
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import {
  ajvErrorsToValidatorError,
  augmentAjvErrors,
  ContentType,
} from 'express-openapi-validator/dist/middlewares/util.js';
import { lookUpReference, type OpenApiDocument } from '../contract/document.ts';
import type { ContractOperation } from '../contract/load.ts';
import { sliceDocument } from '../contract/slice.ts';

/** What of a request is checked. */
export interface Sent {
  readonly query: object;
  readonly headers: object;
  readonly params: object;
  readonly body: unknown;
}

/** One thing that breaks the contract: where, as a JSON pointer, and by which keyword. */
export interface Violation {
  readonly path: string;
  readonly message: string;
  readonly errorCode?: string;
}

/** @returns everything that is violated */
export interface Validator {
  /** Fills in defaults, and gives parameters the types that the contract has for them, in place. */
  checkRequest(sent: Sent): readonly Violation[];
  checkReply(status: number, body: unknown): readonly Violation[];
}

export const createValidator = (document: OpenApiDocument, operation: ContractOperation): Validator => {
  let own: Validator | undefined;
  const validator = (): Validator => {
    own ??= build(document, operation);
    return own;
  };
  return {
    checkRequest: (sent) => validator().checkRequest(sent),
    checkReply: (status, body) => validator().checkReply(status, body),
  };
};

type ApiDocument = OpenAPIV3.DocumentV3_1;

/** What the package's validators are, though it has no one type for them. */
interface Check {
  (data: object): unknown;
  readonly errors?: Parameters<typeof augmentAjvErrors>[0] | null;
}

const build = (document: OpenApiDocument, operation: ContractOperation): Validator => {
  // The package's type of a document names members that OpenAPI leaves optional; what it holds is one all the same.
  const slice = sliceDocument(document, operation) as unknown as ApiDocument;
  const options = new AjvOptions({ ...PACKAGE_OPTIONS, apiSpec: slice });
  const { apiDoc, apiDocRes } = preprocess(slice, options);
  const requests = requestChecks(apiDoc, operation, options.request);
  const replies = replyChecks(apiDocRes, operation, options.response);
  return {
    checkRequest: (sent) => requests.flatMap((check) => (check(sent) ? [] : tell(check, 400))),
    checkReply: (status, body) => {
      const check = replies.get(String(status)) ?? replies.get('default');
      if (!check) return [{ path: '/response', message: `has no body of status ${status} in the contract` }];
      return check({ response: body }) ? [] : tell(check, 500);
    },
  };
};

const tell = ({ errors }: Check, status: number): readonly Violation[] =>
  ajvErrorsToValidatorError(status, augmentAjvErrors(errors ?? [])).errors;

/** One for all but the body, which turns texts into the types of parameters, and one for the body, which must have its own. */
const requestChecks = (
  apiDoc: ApiDocument,
  { path, method }: ContractOperation,
  options: AjvOptions['request'],
): readonly Check[] => {
  const { paths, components } = apiDoc;
  const definition = paths?.[path]?.[method] as OpenAPIV3.OperationObject; // the slice's one operation
  const ajv = createRequestAjv(apiDoc, { ...options, coerceTypes: true });
  const parameters = new ParametersSchemaParser(ajv, apiDoc).parse(path, definition.parameters);
  const rest: Check = ajv.compile({ paths, components, properties: { ...parameters } });
  if (!definition.requestBody) return [rest];
  const [type = ''] = Object.keys(bodyContent(definition));
  const body = new BodySchemaParser().parse(path, definition, ContentType.fromString(type));
  return [rest, createRequestAjv(apiDoc, options).compile({ paths, components, properties: { body } })];
};

const bodyContent = ({ requestBody }: OpenAPIV3.OperationObject): object =>
  requestBody && 'content' in requestBody ? requestBody.content : {};

/** By status; an operation's replies of one status are of one media type. */
const replyChecks = (
  apiDoc: ApiDocument,
  { path, method }: ContractOperation,
  options: AjvOptions['response'],
): ReadonlyMap<string, Check | undefined> => {
  const request = { method, headers: {}, openapi: { expressRoute: path } };
  const byStatus = new ResponseValidator(apiDoc, options)._getOrBuildValidator(
    request as Parameters<ResponseValidator['_getOrBuildValidator']>[0], // it reads no more of a request than this
    apiDoc.paths?.[path]?.[method]?.responses ?? {},
  );
  return new Map(
    Object.entries(byStatus).map(([status, byType]) => [
      status,
      Object.values(byType)[0] as Check | undefined,
    ]),
  );
};

/**
 * Before it follows a reference, the package compiles the schema it leads to, only to read that schema back: a tenth of
 * a second for each operation. Here the reference is looked up.
 */
const preprocess = (slice: ApiDocument, { preprocessor }: AjvOptions) => {
  const given = new SchemaPreprocessor(slice, preprocessor, PACKAGE_OPTIONS.validateResponses);
  const getSchema = (reference: string) => ({ schema: lookUpReference(slice, reference) });
  Object.assign(given, { ajv: { getSchema } });
  return given.preProcess() as { apiDoc: ApiDocument; apiDocRes: ApiDocument }; // of the version it was given
};

const PACKAGE_OPTIONS = {
  validateApiSpec: false,
  validateSecurity: false,
  validateRequests: { allowUnknownQueryParameters: true, allErrors: true },
  validateResponses: { allErrors: true },
  validateFormats: true,
  ajvFormats: { mode: 'full' },
  formats: {},
  // Replies are plain values, never dates that would have to be written out first.
  serDes: [],
  $refParser: { mode: 'bundle' },
  operationHandlers: false,
  fileUploader: false,
} satisfies Omit<ConstructorParameters<typeof AjvOptions>[0], 'apiSpec'>;
