/**
 * Calls with one message each way in the gRPC protocol, over HTTP/2 or HTTP/1.1. The library serves the protocols for
 * browsers and streams; for these calls it costs more than all the rest of the call.
 */

import { type IncomingMessage, ServerResponse } from 'node:http';
import { constants, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { promisify } from 'node:util';
import { gzip, unzip } from 'node:zlib';
import { create, type DescMessage, fromBinary, type Message } from '@bufbuild/protobuf';
import { EmptySchema } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError } from '@connectrpc/connect';
import { parseTimeout, setTrailerStatus } from '@connectrpc/connect/protocol-grpc';
import { node } from '../core/node-globals.ts';
import { BrokenOff } from '../http/in-process.ts';
import type { GrpcMethod, GrpcReply } from './methods.ts';

export type Incoming = IncomingMessage | Http2ServerRequest;
export type Outgoing = ServerResponse | Http2ServerResponse;
type Head = Readonly<Record<string, string>>;

/** Bytes of a message, as gRPC servers limit it: the API's own limit is smaller, and says more. */
export const MOST_BYTES = 4 * 1024 * 1024;
/** Replies from this size on are compressed for those who take it; on one machine less does not pay. */
export const LARGE = 16 * 1024;

export const isGrpc = ({ headers }: Incoming): boolean =>
  /^application\/grpc(\+proto)?(;|$)/.test(headers['content-type'] ?? '');

/**
 * Answers a call. Never throws.
 * @param input undefined for a method that only refuses: its request is not read
 */
export const answerUnary = async (
  request: Incoming,
  response: Outgoing,
  method: GrpcMethod,
  input?: DescMessage,
): Promise<void> => {
  const call = openCall(request, response);
  try {
    const message = input ? decode(input, await readFrame(request, call.signal)) : EMPTY;
    const reply = await method(message, { headers: request.headers, signal: call.signal });
    await sendReply(request, response, reply);
  } catch (error) {
    if (error instanceof BrokenOff) breakOff(request);
    else sendStatus(request, response, error);
  } finally {
    call.close();
  }
};

const EMPTY = create(EmptySchema);

/** The deadline of a call, and the end of its client. */
const openCall = (request: Incoming, response: Outgoing) => {
  const controller = new node.AbortController();
  const timeout = request.headers['grpc-timeout'];
  const ms = timeout === undefined ? undefined : parseTimeout(String(timeout), Infinity).timeoutMs;
  const late = (): void =>
    controller.abort(new ConnectError('The deadline of the call has passed.', Code.DeadlineExceeded));
  const timer = ms === undefined ? undefined : setTimeout(late, Math.min(ms, LONGEST));
  if (ms !== undefined && ms < 1) late();
  const gone = (): void => controller.abort(new ConnectError('The client has gone.', Code.Canceled));
  response.once('close', gone);
  return {
    signal: controller.signal,
    close: () => {
      clearTimeout(timer);
      response.off('close', gone);
    },
  };
};

/** Timers count no further. */
const LONGEST = 2 ** 31 - 1;

const readBytes = (request: Incoming, signal: AbortSignal): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const source = 'stream' in request ? request.stream : request;
    const chunks: Buffer[] = [];
    let size = 0;
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    source.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MOST_BYTES) chunks.push(chunk);
      else reject(tooLarge());
    });
    source.once('end', () => resolve(Buffer.concat(chunks)));
    source.once('error', reject);
  });

const tooLarge = (): ConnectError =>
  new ConnectError(`The message is larger than ${MOST_BYTES} bytes.`, Code.ResourceExhausted);

/** The one message of a call. @throws ConnectError for anything else */
const readFrame = async (request: Incoming, signal: AbortSignal): Promise<Buffer> => {
  const bytes = await readBytes(request, signal);
  if (bytes.length < PREFIX || bytes.length !== PREFIX + bytes.readUInt32BE(1))
    throw new ConnectError(
      `The request has ${bytes.length} bytes, which are not one message with its length before it.`,
      Code.InvalidArgument,
    );
  const body = bytes.subarray(PREFIX);
  return bytes[0] === 0 ? body : decompress(body, request.headers['grpc-encoding']);
};

/** A flag and a length before each message. */
const PREFIX = 5;

const ENCODINGS = 'identity,gzip,deflate';
const unpack = promisify(unzip); // sees which of the two it is

const decompress = async (body: Buffer, encoding: unknown): Promise<Buffer> => {
  if (encoding !== 'gzip' && encoding !== 'deflate')
    throw new ConnectError(
      `The message is compressed, and grpc-encoding is ${encoding ?? 'missing'}. Send one of ${ENCODINGS}.`,
      Code.Unimplemented,
    );
  try {
    return await unpack(body, { maxOutputLength: MOST_BYTES });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // what node throws
    throw code === 'ERR_BUFFER_TOO_LARGE'
      ? tooLarge()
      : new ConnectError(`The message is not in ${encoding}.`, Code.InvalidArgument);
  }
};

const decode = (input: DescMessage, bytes: Uint8Array): Message => {
  try {
    return fromBinary(input, bytes);
  } catch {
    throw new ConnectError(`The request is not a message ${input.typeName}.`, Code.InvalidArgument);
  }
};

const toGzip = promisify(gzip);

const sendReply = async (request: Incoming, response: Outgoing, { bytes, metadata }: GrpcReply) => {
  const accepted = String(request.headers['grpc-accept-encoding']);
  const isPacked = bytes.length >= LARGE && /(^|,)\s*gzip\s*(,|$)/.test(accepted);
  const body = isPacked ? await toGzip(bytes) : bytes;
  const frame = Buffer.allocUnsafe(PREFIX + body.length);
  frame[0] = isPacked ? 1 : 0;
  frame.writeUInt32BE(body.length, 1);
  frame.set(body, PREFIX);
  const head = { ...headOf(request, metadata), ...(isPacked && { 'grpc-encoding': 'gzip' }) };
  send(request, response, head, frame);
};

const headOf = ({ headers }: Incoming, metadata: Head): Head => ({
  ...metadata,
  'content-type': headers['content-type'] ?? 'application/grpc',
  'grpc-accept-encoding': ENCODINGS,
});

/** All in one frame of headers, as a status without a message may go. */
const sendStatus = (request: Incoming, response: Outgoing, error: unknown): void => {
  const { code, metadata, details, rawMessage } = error instanceof ConnectError ? error : INTERNAL;
  const short = new ConnectError(rawMessage.slice(0, MOST_TEXT).toWellFormed(), code);
  short.details = details;
  const status = Object.fromEntries(setTrailerStatus(new node.Headers(metadata), short));
  send(request, response, headOf(request, status));
};

/** Characters of a message: clients refuse headers of more than 8 KiB. */
const MOST_TEXT = 1_000;

const INTERNAL = new ConnectError('The mock failed while answering.', Code.Internal);

/** @param frame the message; without one the status is in the head */
const send = (request: Incoming, response: Outgoing, head: Head, frame?: Buffer): void => {
  const stream = 'stream' in request ? request.stream : undefined;
  if (stream?.destroyed || response.destroyed) return;
  if (frame) response.addTrailers({ 'grpc-status': '0' });
  if (stream) {
    stream.respond({ ':status': 200, ...head }, frame ? { waitForTrailers: true } : { endStream: true });
    if (frame) stream.end(frame);
  } else if (response instanceof ServerResponse) {
    response.writeHead(200, frame ? { ...head, trailer: 'grpc-status' } : head).end(frame);
  }
};

/** As a connection that breaks: no status, no end. */
export const breakOff = (request: Incoming): void => {
  if ('stream' in request) request.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else request.socket.destroy();
};
