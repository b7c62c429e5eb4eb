/**
 * What express-openapi-validator makes of one operation: compiled checks of its requests and replies.
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
import { type augmentAjvErrors, ContentType } from 'express-openapi-validator/dist/middlewares/util.js';
import { lookUpReference, type OpenApiDocument } from '../openapi/document.ts';
import type { ContractOperation } from '../openapi/load.ts';
import { sliceDocument } from '../openapi/slice.ts';
import { isDateTime } from './date-time.ts';

type ApiDocument = OpenAPIV3.DocumentV3_1;

/** Whether data fits, and if not, why: what the package's validators are, though it has no one type for them. */
export interface Check {
  (data: object): unknown;
  readonly errors?: Parameters<typeof augmentAjvErrors>[0] | null;
}

export interface Checks {
  /** All of them are to be made. */
  readonly requests: readonly Check[];
  /** That of one status, or of `default`; undefined if the contract has no body for it. */
  replies(status: string): Check | undefined;
}

export const createChecks = (document: OpenApiDocument, operation: ContractOperation): Checks => {
  // The package's type of a document names members that OpenAPI leaves optional; what it holds is one all the same.
  const slice = sliceDocument(document, operation) as unknown as ApiDocument;
  const options = new AjvOptions({ ...PACKAGE_OPTIONS, apiSpec: slice });
  const { apiDoc, apiDocRes } = preprocess(slice, options);
  return {
    requests: requestChecks(apiDoc, operation, { ...options.request, code: ROUGH }),
    replies: replyChecks(apiDocRes, operation, { ...options.response, code: ROUGH }),
  };
};

/** To smooth the generated code takes longer than it ever saves: a fifth of an operation's first call. */
const ROUGH = { optimize: false };

/** One for all but the body, which turns texts into the types of parameters, and one for the body, which must have its own. */
const requestChecks = (
  apiDoc: ApiDocument,
  { path, method }: ContractOperation,
  options: AjvOptions['request'],
): readonly Check[] => {
  const { paths, components } = apiDoc;
  const definition = paths?.[path]?.[method] as OpenAPIV3.OperationObject; // the slice's one operation
  const ajv = createRequestAjv(apiDoc, { ...options, coerceTypes: true });
  const parameters = new ParametersSchemaParser(referenceReader(apiDoc), apiDoc).parse(
    path,
    definition.parameters,
  );
  const rest: Check = ajv.compile({ paths, components, properties: { ...parameters } });
  if (!definition.requestBody) return [rest];
  const [type = ''] = Object.keys(bodyContent(definition));
  const body = new BodySchemaParser().parse(path, definition, ContentType.fromString(type));
  return [rest, createRequestAjv(apiDoc, options).compile({ paths, components, properties: { body } })];
};

const bodyContent = ({ requestBody }: OpenAPIV3.OperationObject): object =>
  requestBody && 'content' in requestBody ? requestBody.content : {};

/** The check of one status, compiled when it is first answered; an operation's replies of one status are of one media type. */
const replyChecks = (
  apiDoc: ApiDocument,
  { path, method }: ContractOperation,
  options: AjvOptions['response'],
): ((status: string) => Check | undefined) => {
  const responses = apiDoc.paths?.[path]?.[method]?.responses ?? {};
  const known = new Map<string, Check | undefined>();
  const compile = (status: string): Check | undefined => {
    const request = { method, headers: {}, openapi: { expressRoute: path } };
    const response = responses[status];
    if (!response) return undefined;
    const { [status]: byType = {} } = new ResponseValidator(apiDoc, options)._getOrBuildValidator(
      request as Parameters<ResponseValidator['_getOrBuildValidator']>[0], // it reads no more of a request than this
      { [status]: response },
    );
    return Object.values(byType)[0] as Check | undefined;
  };
  return (status) => {
    if (!known.has(status)) known.set(status, compile(status));
    return known.get(status);
  };
};

/**
 * Before it follows a reference, the package compiles the schema it leads to, only to read that schema back: a tenth of
 * a second for each operation. Here the reference is looked up. Stands for an Ajv of which only that is wanted.
 */
const referenceReader = (document: ApiDocument): PackageAjv => {
  const getSchema = (reference: string) => ({ schema: lookUpReference(document, reference) });
  return { getSchema } as PackageAjv; // all that is asked of it
};
type PackageAjv = ConstructorParameters<typeof ParametersSchemaParser>[0];

const preprocess = (slice: ApiDocument, { preprocessor }: AjvOptions) => {
  const given = new SchemaPreprocessor(slice, preprocessor, PACKAGE_OPTIONS.validateResponses);
  Object.assign(given, { ajv: referenceReader(slice) });
  return given.preProcess() as { apiDoc: ApiDocument; apiDocRes: ApiDocument }; // of the version it was given
};

const PACKAGE_OPTIONS = {
  validateApiSpec: false,
  validateSecurity: false,
  validateRequests: { allowUnknownQueryParameters: true, allErrors: true },
  validateResponses: { allErrors: true },
  validateFormats: true,
  ajvFormats: { mode: 'full' },
  formats: { 'date-time': isDateTime },
  // Replies are plain values, never dates that would have to be written out first.
  serDes: [],
  $refParser: { mode: 'bundle' },
  operationHandlers: false,
  fileUploader: false,
} satisfies Omit<ConstructorParameters<typeof AjvOptions>[0], 'apiSpec'>;
