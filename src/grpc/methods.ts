/** Answers calls to an SDK's gRPC methods: sends each call to the API in process, and turns the reply into a message. */
import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Message } from '@bufbuild/protobuf';
import { Code, ConnectError, createContextKey, type HandlerContext } from '@connectrpc/connect';
import { invalidArgument, Refusal } from '../engine/core/errors.ts';
import { type AppCall, type AskApp, BrokenOff } from '../engine/http/in-process.ts';
import { stubToWrite } from '../engine/http/router.ts';
import { type BoundMethod, nameOfMethod, VARIABLE } from './bind.ts';
import type { ToError } from './errors.ts';
import { createTranscoder, type Languages, type RestRequest, type Transcoder } from './transcode.ts';

interface Caller {
  /** The metadata that the API gets. */
  readonly headers: AppCall['headers'];
  /** The newest world when the call began (behaviour E8). */
  readonly began: number;
}

export const CALLER = createContextKey<Caller>({ headers: {}, began: 0 });

/** Answers the calls of one method. @throws ConnectError, or the reason of the signal if the call is aborted */
type GrpcMethod = (message: Message, context: HandlerContext) => Promise<Message>;

export interface MethodParts extends Languages {
  readonly ask: AskApp;
  readonly toError: ToError;
  readonly onInternalError: (error: unknown) => void;
}

/** Answers calls to a method. Without an operation for it, a scenario can stub the reply to its HTTP rule (behaviour X4). */
export const createMethod = (bound: BoundMethod, parts: MethodParts): GrpcMethod => {
  const name = nameOfMethod(bound.method);
  const unserved = bound.rules.length === 0 ? new Refusal('UNIMPLEMENTED', reasonOf(bound)) : undefined;
  let transcoder: Transcoder | undefined;
  return async (message, { values, signal, responseHeader }) => {
    transcoder ??= createTranscoder(bound, parts); // the transcoder is created on the first call: an SDK has many methods, and a test calls few
    const { toRequest, toReply } = transcoder;
    const { headers, began } = values.get(CALLER);
    const warnings: string[] = [];
    const onLost = (sentence: string): void => void warnings.push(sentence);
    const request = checked(() => toRequest(message, onLost), Code.InvalidArgument);
    const refusal = !unserved && request.missing.length > 0 ? invalidArgument(request.missing) : undefined;
    const asked = refusal ? { ...request, url: `/${name}` } : request; // the path cannot be built without the missing value, so the method's name is sent as the path
    const grpc = { method: name, began, refusal, unserved, warnings };
    const { body, metadata } = await callApi(parts, asked, { headers, signal, grpc });
    for (const [field, value] of metadata) responseHeader.append(field, value);
    return checked(() => toReply(JSON.parse(body), onLost), Code.Internal, parts);
  };
};

/** Says why the API cannot answer a method, and for a method with one reply how to stub it. */
export const reasonOf = ({ method, annotated }: BoundMethod): string => {
  const name = nameOfMethod(method);
  if (method.methodKind !== 'unary')
    return `${name} is a streaming method, and the mock serves only calls with one reply.`;
  const forms = annotated.map(({ verb, template }) => `${verb} ${template}`).join(' or ');
  const [{ verb, template }] = annotated;
  const stub = stubToWrite(verb, template.replace(VARIABLE, '{$1}'));
  return `${name} maps to ${forms}, but the mock has no such operation. ${stub}`;
};

/** Calls the API in process. @throws ConnectError if the API refuses the call */
const callApi = async (
  { ask, toError }: MethodParts,
  { method, url, contentType, body = '' }: RestRequest,
  call: Pick<AppCall, 'headers' | 'signal' | 'grpc'>,
) => {
  const headers = {
    ...call.headers,
    'content-length': String(Buffer.byteLength(body)),
    ...(contentType !== undefined && { 'content-type': contentType }),
  };
  try {
    const { status, ...reply } = await ask({ ...call, method, url, headers, body });
    const answer = await text(reply.body);
    const metadata = reply.headers.filter(([name]) => !ABOUT_REPLY.test(name)).map(([...pair]) => pair);
    if (status > 299) throw toError(status, answer, metadata);
    return { body: answer, metadata };
  } catch (error) {
    throw error instanceof BrokenOff ? new ConnectError(error.message, Code.Unavailable) : error;
  }
};

const ABOUT_REPLY = /^(content-.*|access-control-.*|date|vary|cache-control|pragma)$/;

/** Converts a message to or from JSON. Reports values that cannot be converted, such as a time in the year 10000. */
const checked = <Value>(
  convert: () => Value,
  code: Code,
  parts?: Pick<MethodParts, 'onInternalError'>,
): Value => {
  try {
    return convert();
  } catch (error) {
    const refusal = new ConnectError(
      withoutValue(error instanceof Error ? error.message : String(error)),
      code,
    );
    parts?.onInternalError(refusal);
    throw refusal;
  }
};

/** What the protobuf library says of a value, without the value, which may be a credential (behaviour R2). */
export const withoutValue = (message: string): string =>
  message.replace(
    /^(cannot (?:de|en)code .*? (?:from|to) JSON)(?!: cannot).*$/s,
    '$1: it has the wrong type',
  );

/** Headers of the gRPC protocol or the connection. They are not passed on to the API. */
const PROTOCOL =
  /^(:.*|grpc-.*|connect-.*|content-.*|te|host|accept.*|connection|keep-alive|transfer-encoding|trailer|upgrade)$/;

export const toApiHeaders = (headers: IncomingHttpHeaders): AppCall['headers'] => {
  const { host = '', ':authority': authority = host } = headers;
  const own = Object.entries(headers).filter(([name]) => !PROTOCOL.test(name));
  return {
    host: String(authority),
    ...Object.fromEntries(own.map(([name, value]) => [name, String(value)])),
  };
};
