/** Error replies of the API as gRPC statuses, with details that an SDK makes its own errors of. */
import type { DescMessage, JsonObject, JsonValue, Registry } from '@bufbuild/protobuf';
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { Code, ConnectError } from '@connectrpc/connect';
import type { Contract } from '../openapi/load.ts';
import { encode } from './encode.ts';
import type { ApiReply } from './exchange.ts';
import { isObject, type Member, pairMembers } from './members.ts';
import type { GivenNames } from './names.ts';

/** @returns the error that a reply of the API stands for */
export type ToError = (reply: ApiReply, metadata: Readonly<Record<string, string>>) => ConnectError;

export const createErrors = (registry: Registry, { document }: Contract, names: GivenNames): ToError => {
  const message = findErrorMessage(registry);
  const schema = document.components.schemas.ErrorDetail;
  const members = message && pairMembers(message, schema && { document, schema }, names);
  return ({ status, body }, metadata) => {
    const { code, text, detail } = readError(body);
    const error = new ConnectError(
      text ?? `The API answered ${status}.`,
      code ?? codeOfStatus(status),
      metadata,
    );
    if (!detail) return error;
    error.details = [
      message && members
        ? { type: message.typeName, value: pack(members, detail, registry) }
        : standardDetail(detail),
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

/** Clients refuse headers of more than 8 KiB, and details are one, in base64. */
const MOST_DETAIL = 3_500;

/** Member by member: what does not fit is left out, and the rest still says what was wrong. */
const pack = (members: readonly Member[], detail: JsonObject, registry: Registry): Uint8Array => {
  const parts: Uint8Array[] = [];
  let left = MOST_DETAIL;
  for (const member of members) {
    for (let value = detail[member.name]; value !== undefined; value = shortened(value)) {
      const part = tryEncode({ [member.name]: value }, members, registry);
      if (!part || part.length > left) continue;
      parts.push(part);
      left -= part.length;
      break;
    }
  }
  return new Uint8Array(Buffer.concat(parts)); // messages joined end to end are one with the fields of all
};

const tryEncode = (...given: Parameters<typeof encode>): Uint8Array | undefined => {
  try {
    return encode(...given);
  } catch {
    return undefined;
  }
};

/** Half of the violations of a detail that is too long; undefined where there is nothing to leave out. */
const shortened = (value: JsonValue): JsonValue | undefined => {
  const violations = isObject(value) ? value.field_violations : undefined;
  return Array.isArray(violations) && violations.length > 1
    ? { field_violations: violations.slice(0, violations.length >> 1) }
    : undefined;
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
