/** Turns error replies of the API into gRPC errors, with the details from which SDKs create their own errors. */
import {
  type DescMessage,
  fromJson,
  type JsonObject,
  type JsonValue,
  type Message,
  type Registry,
  toBinary,
} from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { dereference } from '../engine/contract/document.ts';
import type { Contract } from '../engine/contract/load.ts';
import { Place } from '../engine/contract/members.ts';
import { ERROR_KINDS } from '../engine/core/errors.ts';
import { isJsonObject, parseJson } from '../engine/core/object.ts';
import { cut } from '../engine/core/text.ts';

import { type MappedNames, pairMembers, toFields } from './message-members.ts';

export type ToError = ReturnType<typeof createErrors>;

/** Creates the function that turns an error reply of the API into a gRPC error. */
export const createErrors = (registry: Registry, { document }: Contract, names: MappedNames) => {
  const desc = findErrorMessage(registry);
  const members = desc
    ? pairMembers(desc, new Place([dereference(document, document.components.schemas.ErrorDetail)]), names)
    : [];
  /** Undefined if the message cannot hold the detail, or is too large. */
  const write = (detail: JsonObject): Message | undefined => {
    try {
      const value = desc && fromJson(desc, toFields(detail, members), { registry });
      return value && toBinary(desc, value).length <= MOST_DETAIL ? value : undefined;
    } catch {
      return undefined;
    }
  };
  return (status: number, body: string, metadata: [name: string, value: string][]): ConnectError => {
    const {
      code = codeOfStatus(status),
      text = `The API returned the status ${status}.`,
      detail,
    } = readError(body);
    const value = detail && (write(detail) ?? write({ error_code: detail.error_code ?? '' }));
    return new ConnectError(cut(text, MOST_TEXT), code, metadata, desc && value && [{ desc, value }]);
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
  (status < 500 ? Code.FailedPrecondition : Code.Unavailable);

const codeOf = (number: unknown): Code | undefined =>
  typeof number === 'number' && Code[number] !== undefined ? number : undefined;

const readError = (body: string) => {
  const parsed = parseJson(body) as JsonValue | undefined; // the cast is safe: `JsonValue` is the protobuf library's type for any JSON
  const { code, message, details, error, ...rest }: JsonObject = isJsonObject(parsed) ? parsed : {};
  const detail = Array.isArray(details) ? details.find((one) => isJsonObject(one)) : undefined;
  return {
    code: codeOf(code),
    text: [message, rest.error_description, error].find((one) => typeof one === 'string'),
    detail: detail ?? (typeof error === 'string' ? { error_code: error } : undefined),
  };
};

/** The maximum number of characters in an error message. It is sent as a header, and clients refuse more than 8 KiB. */
const MOST_TEXT = 1_000;
/** The maximum size of error details in bytes, for the same reason. Of larger ones, only the error code is sent. */
const MOST_DETAIL = 3_000;
