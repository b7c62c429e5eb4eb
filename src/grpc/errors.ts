/** Turns error replies of the API into gRPC errors, with the details that SDKs build their own errors from. */
import {
  type DescMessage,
  fromJson,
  type JsonObject,
  type JsonValue,
  type Registry,
  toBinary,
} from '@bufbuild/protobuf';
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { Code, ConnectError } from '@connectrpc/connect';
import { ERROR_KINDS } from '../core/errors.ts';
import { parseJson } from '../core/object.ts';
import { cut } from '../core/text.ts';
import { isJsonObject } from '../openapi/document.ts';
import { fromContract, pairMembers, type Vocabulary } from './members.ts';

export interface ErrorReply {
  readonly status: number;
  readonly body: string;
}

/** Turns an error reply of the API into a gRPC error. */
export type ToError = (reply: ErrorReply, metadata: ConstructorParameters<typeof Headers>[0]) => ConnectError;

export const createErrors = (registry: Registry, vocabulary: Vocabulary): ToError => {
  const message = findErrorMessage(registry);
  const encode = message ? createEncoder(message, registry, vocabulary) : undefined;
  return ({ status, body }, metadata) => {
    const { code = codeOfStatus(status), text = `The API answered ${status}.`, detail } = readError(body);
    const error = new ConnectError(cut(text, MOST_TEXT), code, metadata);
    const value = detail && encode && pack(detail, encode);
    if (message && value) error.details = [{ type: message.typeName, value }];
    else if (detail) error.details = [standardDetail(detail)];
    return error;
  };
};

/** The message that the descriptors use for errors: it has `error_code` and the most fields named `*_info`. */
const findErrorMessage = (registry: Registry): DescMessage | undefined => {
  const candidates = Array.from(registry).flatMap((type) =>
    type.kind === 'message' && type.fields.some(({ name }) => name === 'error_code') ? [type] : [],
  );
  const likeness = ({ fields }: DescMessage): number =>
    fields.filter(({ name }) => name.endsWith('_info')).length;
  return candidates.sort((one, other) => likeness(other) - likeness(one))[0];
};

/** The gRPC code for replies without a code: replies of the token endpoint, a fault or a stub. */
const codeOfStatus = (status: number): Code =>
  Object.values(ERROR_KINDS).find((kind) => kind.status === status)?.code ??
  (status < 500 ? Code.FailedPrecondition : Code.Unavailable);

const readError = (body: string) => {
  const parsed = parseJson(body) as JsonValue | undefined; // the protobuf library has its own type for JSON
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

type Encode = (detail: JsonObject) => Uint8Array | undefined;

/**
 * Makes a function that encodes details as a message; it returns undefined for a detail that does not fit the message.
 */
const createEncoder = (message: DescMessage, registry: Registry, vocabulary: Vocabulary): Encode => {
  const { schemas } = vocabulary.contract.document.components;
  const members = pairMembers(message, schemas.ErrorDetail, vocabulary);
  return (detail) => {
    try {
      return toBinary(message, fromJson(message, fromContract(detail, members), { registry }));
    } catch {
      return undefined;
    }
  };
};

/** The most characters of a message: clients refuse headers of more than 8 KiB. */
const MOST_TEXT = 1_000;
/** The most bytes of the details, which are sent in a separate header, in base64. */
const MOST_DETAIL = 3_500;

/** Encodes a detail, and shortens it until it fits. */
const pack = (detail: JsonObject, encode: Encode): Uint8Array | undefined => {
  const bytes = encode(detail);
  if (bytes && bytes.length <= MOST_DETAIL) return bytes;
  const shorter = shortened(detail);
  return shorter && pack(shorter, encode);
};

/** The detail with half of its violations. With fewer than two violations, only its code is left. */
const shortened = ({ error_code = '', ...rest }: JsonObject): JsonObject | undefined => {
  const { validation_error_info: info } = rest;
  const violations = isJsonObject(info) && Array.isArray(info.field_violations) ? info.field_violations : [];
  if (violations.length > 1) {
    const half = { field_violations: violations.slice(0, violations.length >> 1) };
    return { error_code, ...rest, validation_error_info: half };
  }
  return Object.keys(rest).length > 0 ? { error_code } : undefined;
};

/** A detail of type `google.rpc.ErrorInfo`, which generic clients understand. */
const standardDetail = ({ error_code: reason }: JsonObject) => ({
  type: 'google.rpc.ErrorInfo',
  value: new BinaryWriter()
    .uint32(0x0a)
    .string(String(reason))
    .uint32(0x12)
    .string('connected-accounts-mock')
    .finish(),
});
