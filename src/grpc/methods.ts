/** The methods of an SDK's descriptors: each call becomes a request of the API, in process, and its reply a message. */
import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Message } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { invalidArgument, Refusal } from '../core/errors.ts';
import { type GrpcOrigin, markOrigin } from '../http/grpc-origin.ts';
import type { AppReply, AskApp } from '../http/in-process.ts';
import { type BoundMethod, type HttpRule, nameOfMethod } from './bind.ts';
import type { ToError } from './errors.ts';
import { createTranscoder, type Languages, type RestRequest } from './transcode.ts';

/** What a call came with, besides its message. */
export interface Circumstances {
  readonly headers: IncomingHttpHeaders;
  /** Aborts with the deadline, or when the client has gone. */
  readonly signal: AbortSignal;
}

export interface GrpcReply {
  /** The message, as it is sent. */
  readonly bytes: Uint8Array;
  /** Headers of the API's reply that are not about its body. */
  readonly metadata: Metadata;
}

/** By names in lower case. */
export type Metadata = Readonly<Record<string, string>>;

/** @throws ConnectError of the status; `BrokenOff` where a fault broke the call off; the reason of an aborted signal */
export type GrpcMethod = (message: Message, circumstances: Circumstances) => Promise<GrpcReply>;

export interface MethodParts extends Languages {
  /** Calls the app. */
  readonly ask: AskApp;
  readonly toError: ToError;
  readonly onInternalError: (error: unknown) => void;
}

export const createMethod = (bound: BoundMethod, parts: MethodParts): GrpcMethod => {
  const name = nameOfMethod(bound.method);
  if (bound.rules.length === 0) return refuse(parts, name, reasonOf(bound));
  let transcoder: ReturnType<typeof createTranscoder> | undefined;
  let last: { readonly body: string; readonly bytes: Uint8Array } | undefined;
  return async (message, circumstances) => {
    transcoder ??= createTranscoder(bound, parts); // when first called: an SDK has many methods, and a test few
    const { toRequest, toBytes } = transcoder;
    const request = checked(() => toRequest(message), Code.InvalidArgument);
    const { missing } = request;
    const refusal = missing.length > 0 ? invalidArgument(missing) : undefined;
    const { body, metadata } = await askApi(parts, request, circumstances, { method: name, refusal });
    // Who asks again gets the same reply more often than not, and to write it costs as much as the rest of the call.
    if (last?.body !== body)
      last = { body, bytes: checked(() => toBytes(JSON.parse(body)), Code.Internal, parts) };
    return { bytes: last.bytes, metadata };
  };
};

/** A method that is not served; its calls are in the journal all the same. */
export const refuse =
  (parts: Omit<MethodParts, keyof Languages>, name: string, reason: string): GrpcMethod =>
  async (_message, circumstances) => {
    const refusal = new Refusal('UNIMPLEMENTED', reason);
    const request = { method: 'POST', url: `/${name}`, missing: [] };
    await askApi(parts, request, circumstances, { method: name, refusal });
    throw new ConnectError(reason, Code.Unimplemented);
  };

const reasonOf = ({ method, annotated }: BoundMethod): string => {
  const name = nameOfMethod(method);
  if (method.methodKind !== 'unary')
    return `${name} is a stream, and the mock serves calls with one reply only.`;
  if (annotated.length === 0)
    return `${name} has no REST form (google.api.http), so the mock cannot serve it.`;
  const forms = annotated.map(({ verb, template }: HttpRule) => `${verb} ${template}`).join(' or ');
  return `${name} is ${forms} of the API, which the mock does not have. ca-mock list --grpc shows what it has.`;
};

const askApi = async (
  { ask, toError }: Omit<MethodParts, keyof Languages>,
  { method, url, contentType, body = '' }: RestRequest,
  { headers, signal }: Circumstances,
  origin: GrpcOrigin,
): Promise<{ readonly body: string; readonly metadata: Metadata }> => {
  const reply = await ask({
    method,
    url,
    body,
    signal,
    headers: {
      ...toApiHeaders(headers),
      'content-length': String(Buffer.byteLength(body)),
      ...(contentType !== undefined && { 'content-type': contentType }),
    },
    mark: (request) => markOrigin(request, origin),
  });
  const { status } = reply;
  const metadata = toMetadata(reply.headers);
  const answer = await text(reply.body);
  if (status < 200 || status > 299) throw toError({ status, body: answer }, metadata);
  return { body: answer, metadata };
};

/** Messages that cannot be read or written as JSON: such as a time in the year 10000. */
const checked = <Value>(convert: () => Value, code: Code, parts?: MethodParts): Value => {
  try {
    return convert();
  } catch (error) {
    parts?.onInternalError(error);
    throw new ConnectError(error instanceof Error ? error.message : String(error), code);
  }
};

/** Not for the API: what belongs to the protocol and to the connection. */
const PROTOCOL =
  /^(:.*|grpc-.*|connect-.*|content-.*|te|host|accept.*|connection|keep-alive|transfer-encoding|trailer|upgrade)$/;

const toApiHeaders = (headers: IncomingHttpHeaders): Record<string, string> => {
  const sent: Record<string, string> = { host: String(headers[':authority'] ?? headers.host ?? '') };
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !PROTOCOL.test(name)) sent[name] = [value].flat().join(', ');
  return sent;
};

const ABOUT_REPLY = /^(content-.*|access-control-.*|date|vary|cache-control|pragma)$/;

const toMetadata = (headers: AppReply['headers']): Metadata =>
  Object.fromEntries(headers.filter(([name]) => !ABOUT_REPLY.test(name)));
