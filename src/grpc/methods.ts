/** Answers calls to an SDK's gRPC methods: sends each call to the API in process, and turns the reply into a message. */
import { text } from 'node:stream/consumers';
import { fromBinary, fromJsonString, toBinary, toJsonString } from '@bufbuild/protobuf';
import { invalidArgument, Refusal } from '../core/errors.ts';
import { type AppCall, type AskApp, BrokenOff } from '../server/http/in-process.ts';
import { stubToWrite } from '../server/http/plane.ts';
import { type BoundMethod, nameOfMethod, VARIABLE } from './bind.ts';
import { GrpcError, type Metadata, type ToError } from './errors.ts';
import { createTranscoder, type Languages, type RestRequest, type Transcoder } from './transcode.ts';
import type { Incoming } from './wire.ts';

interface GrpcCall extends Required<Pick<AppCall, 'headers' | 'signal'>> {
  /** The newest world when the call began (behaviour E8). */
  readonly began: number;
  /** Whether messages are JSON. */
  readonly isJson: boolean;
}

interface GrpcReply {
  readonly bytes: Uint8Array;
  readonly metadata: Metadata;
}

/** Answers the calls of one method. @throws GrpcError, or the reason of the signal if the call is aborted */
export type GrpcMethod = (bytes: Uint8Array, call: GrpcCall) => Promise<GrpcReply>;

export interface MethodParts extends Languages {
  readonly ask: AskApp;
  readonly toError: ToError;
  readonly onInternalError: (error: unknown) => void;
}

/** Answers calls to a method. Without an operation for it, a scenario can stub the reply to its HTTP rule (behaviour X4). */
export const createMethod = (bound: BoundMethod, parts: MethodParts): GrpcMethod => {
  const { input, output } = bound.method;
  const options = { registry: parts.registry, ignoreUnknownFields: true };
  const name = nameOfMethod(bound.method);
  const unserved = bound.rules.length === 0 ? new Refusal('UNIMPLEMENTED', reasonOf(bound)) : undefined;
  let transcoder: Transcoder | undefined;
  return async (bytes, { began, isJson, ...caller }) => {
    transcoder ??= createTranscoder(bound, parts); // the transcoder is created on the first call: an SDK has many methods, and a test calls few
    const { toRequest, toReply } = transcoder;
    const warnings: string[] = [];
    const onLost = (sentence: string): void => void warnings.push(sentence);
    const decode = () =>
      isJson ? fromJsonString(input, Buffer.from(bytes).toString(), options) : fromBinary(input, bytes);
    const request = checked(() => toRequest(decode(), onLost), 'invalid_argument');
    const missing = !unserved && request.missing.length > 0 ? invalidArgument(request.missing) : undefined;
    const asked = missing ? { ...request, url: `/${name}` } : request; // the path cannot be built without the missing value, so the method's name is sent as the path
    const grpc = { method: name, began, refusal: missing ?? unserved, warnings };
    const { body, metadata } = await callApi(parts, asked, { ...caller, grpc });
    const message = checked(() => toReply(JSON.parse(body), onLost), 'internal', parts);
    const sent = isJson ? Buffer.from(toJsonString(output, message, options)) : toBinary(output, message);
    return { bytes: sent, metadata };
  };
};

/** Says why the API cannot answer a method. For a method with an HTTP rule, also shows how to stub the reply. */
export const reasonOf = ({ method, annotated }: BoundMethod): string => {
  const name = nameOfMethod(method);
  if (method.methodKind !== 'unary')
    return `${name} is a streaming method, and the mock serves only calls with one reply.`;
  const [main] = annotated;
  if (!main) return `${name} has no google.api.http annotation, so the mock cannot serve it.`;
  const forms = annotated.map(({ verb, template }) => `${verb} ${template}`).join(' or ');
  const stub = stubToWrite(main.verb, main.template.replace(VARIABLE, '{$1}'));
  return `${name} maps to ${forms}, but the mock has no such operation. ${stub}`;
};

/** Calls the API in process. @throws GrpcError if the API refuses the call */
const callApi = async (
  { ask, toError }: MethodParts,
  { method, url, contentType, body = '' }: RestRequest,
  call: Pick<AppCall, 'headers' | 'signal' | 'grpc'>,
): Promise<{ readonly body: string; readonly metadata: Metadata }> => {
  const headers = {
    ...call.headers,
    'content-length': String(Buffer.byteLength(body)),
    ...(contentType !== undefined && { 'content-type': contentType }),
  };
  try {
    const { status, ...reply } = await ask({ ...call, method, url, headers, body });
    const answer = await text(reply.body);
    const metadata = reply.headers.filter(([name]) => !ABOUT_REPLY.test(name));
    if (status > 299) throw toError(status, answer, metadata);
    return { body: answer, metadata };
  } catch (error) {
    throw error instanceof BrokenOff ? new GrpcError('unavailable', error.message) : error;
  }
};

const ABOUT_REPLY = /^(content-.*|access-control-.*|date|vary|cache-control|pragma)$/;

/** Converts a message to or from JSON. Reports values that cannot be converted, such as a time in the year 10000. */
const checked = <Value>(
  convert: () => Value,
  code: GrpcError['code'],
  parts?: Pick<MethodParts, 'onInternalError'>,
): Value => {
  try {
    return convert();
  } catch (error) {
    const refusal = new GrpcError(code, withoutValue(error instanceof Error ? error.message : String(error)));
    parts?.onInternalError(refusal);
    throw refusal;
  }
};

/** What the protobuf library says of a value, without the value, which may be a credential (behaviour R2). */
const withoutValue = (message: string): string =>
  message.replace(
    /^(cannot (?:de|en)code .*? (?:from|to) JSON)(?!: cannot).*$/s,
    '$1: it has the wrong type',
  );

/** Headers of the gRPC protocol or the connection. They are not passed on to the API. */
const PROTOCOL =
  /^(:.*|grpc-.*|connect-.*|content-.*|te|host|accept.*|connection|keep-alive|transfer-encoding|trailer|upgrade)$/;

export const toApiHeaders = ({ headers }: Incoming): AppCall['headers'] => {
  const { host = '', ':authority': authority = host } = headers;
  const own = Object.entries(headers).filter(([name]) => !PROTOCOL.test(name));
  return {
    host: String(authority),
    ...Object.fromEntries(own.map(([name, value]) => [name, String(value)])),
  };
};
