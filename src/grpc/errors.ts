/** Turns error replies of the API into gRPC errors, with the details from which SDKs create their own errors. */
import {
  type DescMessage,
  fromJson,
  type JsonObject,
  type JsonValue,
  type Registry,
  toBinary,
} from '@bufbuild/protobuf';
import { isJsonObject } from '../contract/document.ts';
import { ERROR_KINDS } from '../core/errors.ts';
import { parseJson } from '../core/object.ts';
import { cut } from '../core/text.ts';
import { fromContract, pairMembers, type Vocabulary } from './message-members.ts';

/** The gRPC codes in the order of their numbers, which begin with 1, and the HTTP status that Connect sends for each. */
const CODES = {
  canceled: 499,
  unknown: 500,
  invalid_argument: 400,
  deadline_exceeded: 504,
  not_found: 404,
  already_exists: 409,
  permission_denied: 403,
  resource_exhausted: 429,
  failed_precondition: 400,
  aborted: 409,
  out_of_range: 400,
  unimplemented: 501,
  internal: 500,
  unavailable: 503,
  data_loss: 500,
  unauthenticated: 401,
} as const;

type Code = keyof typeof CODES;

const NAMES = Object.keys(CODES) as Code[]; // the cast is safe: these are the keys

export const codeNumber = (code: Code): number => NAMES.indexOf(code) + 1;
export const httpStatusOf = (code: Code): number => CODES[code];

export type Metadata = readonly (readonly [name: string, value: string])[];

export class GrpcError extends Error {
  override readonly name = 'GrpcError';

  constructor(
    readonly code: Code,
    message: string,
    readonly metadata: Metadata = [],
    /** The encoded message from which SDKs create their own errors, and its type. */
    readonly detail?: { readonly type: string; readonly value: Uint8Array } | undefined,
  ) {
    super(message);
  }
}

export type ToError = ReturnType<typeof createErrors>;

/** Creates the function that turns an error reply of the API into a gRPC error. */
export const createErrors = (registry: Registry, vocabulary: Vocabulary) => {
  const message = findErrorMessage(registry);
  const { schemas } = vocabulary.contract.document.components;
  const members = message ? pairMembers(message, schemas.ErrorDetail, vocabulary) : [];
  /** Undefined if the message cannot hold the detail. */
  const encode = (detail: JsonObject): Uint8Array | undefined => {
    try {
      return message && toBinary(message, fromJson(message, fromContract(detail, members), { registry }));
    } catch {
      return undefined;
    }
  };
  return (status: number, body: string, metadata: Metadata): GrpcError => {
    const {
      code = codeOfStatus(status),
      text = `The API returned the status ${status}.`,
      detail,
    } = readError(body);
    const versions = detail ? [detail, { error_code: detail.error_code ?? '' }] : [];
    const value = versions.map(encode).find((bytes) => bytes && bytes.length <= MOST_DETAIL);
    // Text beyond ASCII takes up to nine bytes a character in a header.
    const most = encodeURIComponent(text).length > 3 * MOST_TEXT ? MOST_TEXT / 4 : MOST_TEXT;
    return new GrpcError(
      code,
      cut(text, most),
      metadata,
      message && value && { type: message.typeName, value },
    );
  };
};

/** Finds the message type for errors: of the types with a field `error_code`, the one with the most `*_info` fields. */
const findErrorMessage = (registry: Registry): DescMessage | undefined => {
  const candidates = Array.from(registry).flatMap((type) =>
    type.kind === 'message' && type.fields.some(({ name }) => name === 'error_code') ? [type] : [],
  );
  const likeness = ({ fields }: DescMessage): number =>
    fields.filter(({ name }) => name.endsWith('_info')).length;
  return candidates.sort((one, other) => likeness(other) - likeness(one))[0];
};

/** For replies without a gRPC code: from the token endpoint, faults and stubs. */
const codeOfStatus = (status: number): Code =>
  codeOf(Object.values(ERROR_KINDS).find((kind) => kind.status === status)?.code) ??
  (status < 500 ? 'failed_precondition' : 'unavailable');

const codeOf = (number: unknown): Code | undefined => NAMES[Number(number) - 1];

const readError = (body: string) => {
  const parsed = parseJson(body) as JsonValue | undefined; // the cast is safe: `JsonValue` is the protobuf library's type for any JSON
  const { code, message, details, error, ...rest }: JsonObject = isJsonObject(parsed) ? parsed : {};
  const detail = Array.isArray(details) ? details.find((one) => isJsonObject(one)) : undefined;
  return {
    code: typeof code === 'number' ? codeOf(code) : undefined,
    text: [message, rest.error_description, error].find((one) => typeof one === 'string'),
    detail: detail ?? (typeof error === 'string' ? { error_code: error } : undefined),
  };
};

/** The maximum number of characters in an error message. It is sent as a header, and clients refuse more than 8 KiB. */
const MOST_TEXT = 1_000;
/** The maximum size of error details in bytes, for the same reason. Of larger ones, only the error code is sent. */
const MOST_DETAIL = 3_500;
