/** Starts a mock with the descriptors of these tests, and makes clients from them. */
import type { ClientHttp2Session } from 'node:http2';
import { join } from 'node:path';
import {
  type DescMessage,
  type DescMethodUnary,
  fromJson,
  type JsonObject,
  toJson,
} from '@bufbuild/protobuf';
import { type CallOptions, ConnectError, type Transport } from '@connectrpc/connect';
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from '@connectrpc/connect-node';
import type { StartOptions } from '#mock';
import { readDescriptors } from '../../src/grpc/descriptors.ts';
import { listeningServer } from '../support/server.ts';

/** `protos/example/accounts/v1/*.proto`, compiled without their imports. */
export const DESCRIPTORS = join(import.meta.dirname, 'accounts.binpb');

/** Maps names of these descriptors that the contract spells differently. */
const NAMES = join(import.meta.dirname, 'names.yaml');

export const SDK: readonly string[] = [DESCRIPTORS, NAMES];

export const REGISTRY = readDescriptors([DESCRIPTORS]);

/** A message of the descriptors. */
export const messageNamed = (name: string): DescMessage => {
  const found = REGISTRY.getMessage(`example.accounts.v1.${name}`);
  if (found) return found;
  throw new Error(`There is no message ${name}.`);
};

/** A mock that serves these descriptors. It is closed after the tests of the file. */
export const startGrpc = async (options: StartOptions = {}) => {
  const { mock, raw } = await listeningServer({ grpcDescriptors: SDK, ...options });
  return { mock, raw, ...callsOver(transports(mock.url).gRPC) };
};

export const transports = (baseUrl: string) => ({
  gRPC: createGrpcTransport({ baseUrl }),
  'gRPC-Web': createGrpcWebTransport({ baseUrl, httpVersion: '1.1' }),
  'Connect with JSON': createConnectTransport({ baseUrl, httpVersion: '1.1', useBinaryFormat: false }),
  'Connect over HTTP/2': createConnectTransport({ baseUrl, httpVersion: '2' }),
});

export const callsOver = (transport: Transport) => {
  /** @param name `Service/Method` of `example.accounts.v1` */
  const call = async (name: string, message: JsonObject = {}, options: CallOptions = {}) => {
    const [service = '', wanted] = name.split('/');
    const found = REGISTRY.getService(`example.accounts.v1.${service}`);
    const method = found?.methods.find((one) => one.name === wanted) as DescMethodUnary | undefined; // tests call only unary methods
    if (!method) throw new Error(`There is no method ${name}.`);
    const headers = { authorization: 'Bearer dev-token', ...(options.headers as Record<string, string>) };
    const { signal, timeoutMs } = options;
    const reply = await transport.unary(method, signal, timeoutMs, headers, fromJson(method.input, message));
    const body = toJson(method.output, reply.message, { registry: REGISTRY, useProtoFieldName: true });
    return { body: body as JsonObject, headers: reply.header };
  };
  return {
    call,
    /** Makes a call that must fail. Returns its error. */
    fail: async (...given: Parameters<typeof call>): Promise<ConnectError> => {
      try {
        await call(...given);
      } catch (error) {
        return ConnectError.from(error);
      }
      throw new Error(`${given[0]} did not fail.`);
    },
  };
};

/** The details of an error, decoded as the error message of the descriptors. */
export const detailOf = (error: ConnectError): JsonObject => {
  const message = messageNamed('errors.ErrorInfo');
  const [detail] = error.findDetails(message);
  if (!detail) throw new Error(`No details: ${error.message}`);
  return toJson(message, detail, { useProtoFieldName: true }) as JsonObject;
};

/** The headers of a gRPC call. @param name `Service/Method` of `example.accounts.v1` */
export const headersOf = (name: string, more: Record<string, string> = {}): Record<string, string> => ({
  ':path': `/example.accounts.v1.${name}`,
  'content-type': 'application/grpc',
  authorization: 'Bearer dev-token',
  ...more,
});

/** The message of a gRPC error in headers. */
export const messageOf = ({ headers }: Http2Answer): string =>
  decodeURIComponent(String(headers['grpc-message']));

export interface Http2Answer {
  /** The headers and the trailers. */
  readonly headers: Record<string, unknown>;
  readonly body: Buffer;
}

/** Sends a request over HTTP/2: a POST if it has a body. */
export const askHttp2 = (
  session: ClientHttp2Session,
  headers: Record<string, string>,
  body?: Buffer | string,
) =>
  new Promise<Http2Answer>((resolve, reject) => {
    const stream = session.request({ ':method': body === undefined ? 'GET' : 'POST', ...headers });
    const received: Record<string, unknown> = {};
    const chunks: Buffer[] = [];
    stream.on('response', (found) => Object.assign(received, found));
    stream.on('trailers', (found) => Object.assign(received, found));
    stream.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
    stream.on('close', () => resolve({ headers: received, body: Buffer.concat(chunks) }));
    stream.end(body);
  });
