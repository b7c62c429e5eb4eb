/** Turns error replies of the API into gRPC errors, with the details from which SDKs create their own errors. */
import {
  type DescMessage,
  fromJson,
  type JsonObject,
  type JsonValue,
  type Registry,
  toBinary,
} from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { isJsonObject } from '../contract/document.ts';
import { ERROR_KINDS } from '../core/errors.ts';
import { parseJson } from '../core/object.ts';
import { cut } from '../core/text.ts';
import { fromContract, pairMembers, type Vocabulary } from './members.ts';

export interface ErrorReply {
  readonly status: number;
  readonly body: string;
}

/** Turns an error reply of the API into a gRPC error. */
export type ToError = (reply: ErrorReply, metadata: ConstructorParameters<typeof Headers>[0]) => ConnectError;

export const createErrors = (registry: Registry, vocabulary: Vocabulary): ToError => {
  const message = findErrorMessage(registry);
  const encode = createEncoder(message, registry, vocabulary);
  return ({ status, body }, metadata) => {
    const {
      code = codeOfStatus(status),
      text = `The API returned the status ${status}.`,
      detail,
    } = readError(body);
    const error = new ConnectError(cut(text, MOST_TEXT), code, metadata);
    const versions = detail ? [detail, { error_code: detail.error_code ?? '' }] : [];
    const value = versions.map(encode).find((bytes) => bytes && bytes.length <= MOST_DETAIL);
    if (message && value) error.details = [{ type: message.typeName, value }];
    return error;
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

/**
 * The gRPC code for an HTTP status. Used for replies without a gRPC code: from the token endpoint, faults and stubs.
 */
const codeOfStatus = (status: number): Code =>
  Object.values(ERROR_KINDS).find((kind) => kind.status === status)?.code ??
  (status < 500 ? Code.FailedPrecondition : Code.Unavailable);

const readError = (body: string) => {
  const parsed = parseJson(body) as JsonValue | undefined; // the cast is safe: `JsonValue` is the protobuf library's type for any JSON
  const {
    code,
    message,
    details,
    error,
    error_description: description,
  }: JsonObject = isJsonObject(parsed) ? parsed : {};
  const detail = Array.isArray(details) ? details.find((one) => isJsonObject(one)) : undefined;
  return {
    code: typeof code === 'number' && Code[code] !== undefined ? (code as Code) : undefined,
    text: [message, description, error].find((one) => typeof one === 'string'),
    detail: detail ?? (typeof error === 'string' ? { error_code: error } : undefined),
  };
};

/** Creates a function that encodes an error detail as a message, if the message can hold the detail. */
const createEncoder = (message: DescMessage | undefined, registry: Registry, vocabulary: Vocabulary) => {
  const { schemas } = vocabulary.contract.document.components;
  const members = message ? pairMembers(message, schemas.ErrorDetail, vocabulary) : [];
  return (detail: JsonObject): Uint8Array | undefined => {
    try {
      return message && toBinary(message, fromJson(message, fromContract(detail, members), { registry }));
    } catch {
      return undefined;
    }
  };
};

/** The maximum number of characters in an error message. It is sent as a header, and clients refuse more than 8 KiB. */
const MOST_TEXT = 1_000;
/**
 * The maximum size of error details in bytes. The details are sent as a header, in base64. If they are larger, only the
 * error code is sent.
 */
const MOST_DETAIL = 3_500;
