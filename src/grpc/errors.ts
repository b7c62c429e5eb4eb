/** Error replies of the API as gRPC statuses, with details that an SDK makes its own errors of. */
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
import type { Contract } from '../openapi/load.ts';
import type { ApiReply } from './exchange.ts';
import { type Spelling, spell } from './members.ts';
import type { GivenNames } from './names.ts';

/** @returns the error that a reply of the API stands for */
export type ToError = (reply: ApiReply, metadata: Headers) => ConnectError;

export const createErrors = (registry: Registry, { document }: Contract, names: GivenNames): ToError => {
  const message = findErrorMessage(registry);
  const schema = document.components.schemas.ErrorDetail;
  const spelling = message && spell(message, schema && { document, schema }, names);
  return ({ status, body }, metadata) => {
    const { code, text, detail } = readError(body);
    const error = new ConnectError(
      text ?? `The API answered ${status}.`,
      code ?? codeOfStatus(status),
      metadata,
    );
    if (!detail) return error;
    error.details = [
      message && spelling ? pack(message, spelling, detail, registry) : standardDetail(detail),
    ];
    return error;
  };
};

/** The descriptors' own message for errors: has `error_code`, and most of what the API says of an error. */
const findErrorMessage = (registry: Registry): DescMessage | undefined => {
  const candidates = Array.from(registry).flatMap((type) =>
    type.kind === 'message' && type.fields.some(({ name }) => name === 'error_code') ? [type] : [],
  );
  const likeness = ({ fields }: DescMessage): number =>
    fields.filter(({ name }) => name.endsWith('_info')).length;
  return candidates.sort((one, other) => likeness(other) - likeness(one))[0];
};

const CODES: Readonly<Record<number, Code>> = {
  400: Code.InvalidArgument,
  401: Code.Unauthenticated,
  403: Code.PermissionDenied,
  404: Code.NotFound,
  408: Code.DeadlineExceeded,
  409: Code.AlreadyExists,
  413: Code.InvalidArgument,
  429: Code.ResourceExhausted,
  500: Code.Internal,
  501: Code.Unimplemented,
  502: Code.Unavailable,
  503: Code.Unavailable,
  504: Code.DeadlineExceeded,
};

/** For replies that name no code: those of the token endpoint, and bodies that a fault made up. */
const codeOfStatus = (status: number): Code =>
  CODES[status] ?? (status < 500 ? Code.FailedPrecondition : Code.Unknown);

interface ErrorBody {
  readonly code?: Code;
  readonly text?: string;
  readonly detail?: JsonObject;
}

const readError = (body: string): ErrorBody => {
  const parsed = parse(body);
  if (!isObject(parsed)) return {};
  const { code, message, details, error, error_description: description } = parsed;
  const detail = Array.isArray(details) ? details.find(isObject) : undefined;
  const text = [message, description, error].find((one) => typeof one === 'string');
  return {
    ...(typeof code === 'number' && Code[code] !== undefined && { code }),
    ...(text !== undefined && { text }),
    ...(detail ? { detail } : typeof error === 'string' && { detail: { error_code: error } }),
  };
};

const parse = (text: string): JsonValue => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Member by member: what does not fit the message is left out, and the rest still says what was wrong. */
const pack = (message: DescMessage, spelling: Spelling, detail: JsonObject, registry: Registry) => {
  const fields = spelling.toDescriptor(detail);
  const packed = Object.entries(fields).flatMap(([name, value]) => {
    try {
      const part = fromJson(message, { [name]: value ?? null }, { registry, ignoreUnknownFields: true });
      return [toBinary(message, part)];
    } catch {
      return [];
    }
  });
  // Messages joined end to end are one message with the fields of all.
  return { type: message.typeName, value: new Uint8Array(Buffer.concat(packed)) };
};

/** `google.rpc.ErrorInfo`: what generic clients know. */
const standardDetail = ({ error_code: reason }: JsonObject) => ({
  type: 'google.rpc.ErrorInfo',
  value: new BinaryWriter()
    .uint32(0x0a)
    .string(String(reason))
    .uint32(0x12)
    .string('connected-accounts-mock')
    .finish(),
});
