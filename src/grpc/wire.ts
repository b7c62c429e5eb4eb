/** How gRPC, gRPC-Web and Connect write a call that has one message and one reply. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, type Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { codeNumber, GrpcError, httpStatusOf, type Metadata } from './errors.ts';

/** A request over HTTP/1.1 or HTTP/2. */
export type Incoming = IncomingMessage | Http2ServerRequest;
export type Outgoing = ServerResponse | Http2ServerResponse;

export interface Wire {
  readonly protocol: 'grpc' | 'grpc-web' | 'connect';
  /** The content type of the reply. */
  readonly type: string;
  readonly isJson: boolean;
  /** Whether bodies are in base64, as some browsers need it. */
  readonly isText: boolean;
}

/** The protocol of a content type. Undefined if it belongs to none. */
export const wireOf = (contentType = ''): Wire | undefined => {
  const [type = ''] = contentType.toLowerCase().split(';');
  const grpc = /^application\/grpc(-web)?(-text)?(?:\+(proto|json))?$/.exec(type.trim());
  if (grpc) {
    const [, web = '', text = '', format = 'proto'] = grpc;
    return {
      protocol: web === '' ? 'grpc' : 'grpc-web',
      type: `application/grpc${web}${text}+${format}`,
      isJson: format === 'json',
      isText: text !== '',
    };
  }
  const [, format] = /^application\/(proto|json)$/.exec(type.trim()) ?? [];
  return format === undefined
    ? undefined
    : { protocol: 'connect', type: `application/${format}`, isJson: format === 'json', isText: false };
};

/** The maximum size of a message in bytes. The API's own limit is lower, so its clearer error usually comes first. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Replies of at least this size in bytes are compressed. Compressing smaller replies saves no time. */
const LARGE = 16 * 1024;
/** The size of the head of a message: a flag, and the length of the message. */
const PREFIX = 5;

const tooLarge = (): GrpcError =>
  new GrpcError('resource_exhausted', 'The message is larger than 4 MiB. Send a smaller one.');

/** Reads and decompresses the message of a request. @throws GrpcError if it is too large or not well formed */
export const readMessage = async (request: Incoming, { protocol, isText }: Wire): Promise<Uint8Array> => {
  const raw = await readBody(request);
  const body = isText ? Buffer.from(raw.toString('latin1'), 'base64') : raw;
  if (protocol === 'connect') return inflate(body, request.headers['content-encoding'] ?? 'identity');
  if (body.length < PREFIX)
    throw new GrpcError('unimplemented', 'The call has no message. Send exactly one.');
  if (body.length !== PREFIX + body.readUInt32BE(1))
    throw new GrpcError('unimplemented', 'The call has more or less than one message. Send exactly one.');
  const isCompressed = ((body[0] ?? 0) & 1) === 1;
  return inflate(
    body.subarray(PREFIX),
    isCompressed ? String(request.headers['grpc-encoding'] ?? 'an unnamed encoding') : 'identity',
  );
};

/**
 * Reads without ending the request, so that a request that is too large can still be answered. Never pauses: bytes that
 * arrive during a pause would count against the whole connection, even after the request has ended.
 */
const readBody = (request: Incoming): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const read = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= MOST_BYTES * 1.5) return void chunks.push(chunk); // base64 takes a third more
      chunks.length = 0;
      reject(tooLarge());
    };
    const leave = (): void => reject(new GrpcError('canceled', 'The client left.'));
    request.on('data', read).on('error', reject).once('close', leave);
    request.once('end', () => {
      request.off('close', leave);
      resolve(Buffer.concat(chunks, size));
    });
  });

const unzip = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(gunzip);
const zip = promisify<Uint8Array, Buffer>(gzip);

const inflate = async (bytes: Uint8Array, encoding: string): Promise<Uint8Array> => {
  if (bytes.length > MOST_BYTES) throw tooLarge();
  if (encoding === 'identity') return bytes;
  if (encoding !== 'gzip')
    throw new GrpcError('unimplemented', `The encoding ${encoding} is not supported. Use gzip or identity.`, [
      ['grpc-accept-encoding', 'gzip,identity'],
    ]);
  try {
    return await unzip(bytes, { maxOutputLength: MOST_BYTES });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // the cast is safe: zlib throws errors with a code
    throw code === 'ERR_BUFFER_TOO_LARGE'
      ? tooLarge()
      : new GrpcError('invalid_argument', 'The message is not compressed with gzip, as its encoding says.');
  }
};

export const writeReply = async (
  request: Incoming,
  response: Outgoing,
  { protocol, type, isText }: Wire,
  message: Uint8Array,
  metadata: Metadata,
): Promise<void> => {
  const isConnect = protocol === 'connect';
  const accepted = request.headers[isConnect ? 'accept-encoding' : 'grpc-accept-encoding'];
  const isZipped = message.length >= LARGE && /\bgzip\b/.test(String(accepted));
  const sent = isZipped ? await zip(message) : message;
  for (const [name, value] of metadata) response.setHeader(name, value);
  response.setHeader('content-type', type);
  if (isZipped) response.setHeader(isConnect ? 'content-encoding' : 'grpc-encoding', 'gzip');
  if (isConnect) return end(response, sent);
  const framed = frame(isZipped ? 1 : 0, sent);
  if (protocol === 'grpc-web') {
    const all = Buffer.concat([framed, frame(0x80, Buffer.from('grpc-status: 0\r\n'))]);
    return end(response, isText ? Buffer.from(all.toString('base64')) : all);
  }
  if (!(response instanceof Http2ServerResponse)) response.setHeader('trailer', 'grpc-status');
  response.addTrailers({ 'grpc-status': '0' });
  return end(response, framed);
};

/**
 * Writes an error. For gRPC, all of it stands in the headers: clients retry a refused call only if headers and trailers
 * come in one frame. If the client is still sending, its request ends here.
 */
export const writeError = (
  request: Incoming,
  response: Outgoing,
  { protocol, type }: Pick<Wire, 'protocol' | 'type'>,
  error: GrpcError,
): void => {
  const { code, message, metadata, detail } = error;
  for (const [name, value] of metadata) response.setHeader(name, value);
  if (protocol === 'connect') {
    const details = detail && [
      { type: detail.type, value: Buffer.from(detail.value).toString('base64').replaceAll('=', '') },
    ];
    response.statusCode = httpStatusOf(code);
    response.setHeader('content-type', 'application/json');
    end(response, Buffer.from(JSON.stringify({ code, message, details })));
  } else {
    response.setHeader('content-type', type);
    response.setHeader('grpc-status', String(codeNumber(code)));
    response.setHeader('grpc-message', percentEncoded(message));
    if (detail)
      response.setHeader('grpc-status-details-bin', statusOf(error).toString('base64').replaceAll('=', ''));
    end(response);
  }
  if (!request.complete) stopUpload(request, response);
};

const end = (response: Outgoing, body?: Uint8Array): void => {
  // The two kinds of responses have the same method, but TypeScript cannot call a union of overloads.
  (response as ServerResponse).end(body);
};

/** Without this, a request that its client never ends would count against the streams of its connection. */
const stopUpload = (request: Incoming, response: Outgoing): void => {
  if (response instanceof Http2ServerResponse)
    response.stream?.close(constants.NGHTTP2_NO_ERROR); // waits until the answer was sent
  else request.resume();
};

const frame = (flag: number, bytes: Uint8Array): Buffer => {
  const prefix = Buffer.alloc(PREFIX);
  prefix.writeUInt8(flag);
  prefix.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([prefix, bytes]);
};

/** Encodes `%` and what is not printable ASCII, as the gRPC protocol says. Clients show everything else as it is. */
export const percentEncoded = (text: string): string =>
  text.toWellFormed().replaceAll(/[^ -~]|%/gu, (character) => encodeURIComponent(character));

/** The error as a `google.rpc.Status`, which has the details. */
const statusOf = ({ code, message, detail }: GrpcError): Buffer => {
  const status = new BinaryWriter()
    .uint32(8)
    .int32(codeNumber(code))
    .uint32(18)
    .string(message.toWellFormed());
  if (detail)
    status
      .uint32(26)
      .fork()
      .uint32(10)
      .string(`type.googleapis.com/${detail.type}`)
      .uint32(18)
      .bytes(detail.value)
      .join();
  return Buffer.from(status.finish());
};

const UNITS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };
/** The longest time of a timer in milliseconds. A longer one would end at once. */
const LONGEST = 2 ** 31 - 1;

/** How many milliseconds the client waits. Undefined if it waits as long as it takes. */
export const timeoutOf = ({ headers }: Incoming): number | undefined => {
  const [, amount, unit = ''] = /^(\d{1,8})([HMSmun])$/.exec(String(headers['grpc-timeout'] ?? '')) ?? [];
  const [, milliseconds] = /^(\d{1,10})$/.exec(String(headers['connect-timeout-ms'] ?? '')) ?? [];
  const wait = amount === undefined ? milliseconds : Number(amount) * (UNITS[unit] ?? 1);
  return wait === undefined ? undefined : Math.min(Number(wait), LONGEST);
};
