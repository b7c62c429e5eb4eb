/** Starts a mock with the descriptors of these tests, and makes clients from them. */
import type { ClientHttp2Session } from 'node:http2';
import { join } from 'node:path';
import { fromJson, type JsonObject, type Message, toJson } from '@bufbuild/protobuf';
import { type CallOptions, ConnectError, createClient, type Transport } from '@connectrpc/connect';
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from '@connectrpc/connect-node';
import { readDescriptors } from '../../src/grpc/descriptors.ts';
import { type Mock, type StartOptions, startMock } from '../../src/index.ts';

/** `protos/example/accounts/v1/*.proto`, compiled without their imports. */
export const DESCRIPTORS = join(import.meta.dirname, 'accounts.binpb');

/** Maps names of these descriptors that the contract spells differently. */
const NAMES = join(import.meta.dirname, 'names.yaml');

export const SDK: readonly string[] = [DESCRIPTORS, NAMES];

export const REGISTRY = readDescriptors([DESCRIPTORS]);

export interface GrpcAnswer {
  readonly body: JsonObject;
  readonly headers: Headers;
}

export interface GrpcServer {
  readonly mock: Mock;
  /** @param method `Service/Method` of `example.accounts.v1` */
  call(method: string, message?: JsonObject, options?: CallOptions): Promise<GrpcAnswer>;
  /** The error that a call ends with. */
  fail(method: string, message?: JsonObject, options?: CallOptions): Promise<ConnectError>;
}

export const startGrpc = async (options: StartOptions = {}): Promise<GrpcServer> => {
  const mock = await startMock({
    port: 0,
    log: 'silent',
    scenario: 'default',
    validateResponses: 'on',
    grpcDescriptors: SDK,
    ...options,
  });
  return { mock, ...callsOver(transports(mock.url).gRPC) };
};

export const transports = (baseUrl: string) => ({
  gRPC: createGrpcTransport({ baseUrl }),
  'gRPC-Web': createGrpcWebTransport({ baseUrl, httpVersion: '1.1' }),
  'Connect with JSON': createConnectTransport({ baseUrl, httpVersion: '1.1', useBinaryFormat: false }),
  'Connect over HTTP/2': createConnectTransport({ baseUrl, httpVersion: '2' }),
});

export const callsOver = (transport: Transport): Pick<GrpcServer, 'call' | 'fail'> => {
  const call: GrpcServer['call'] = async (name, message = {}, options = {}) => {
    const [service = '', wanted] = name.split('/');
    const found = REGISTRY.getService(`example.accounts.v1.${service}`);
    const method = found?.methods.find((one) => one.name === wanted);
    if (!found || !method) throw new Error(`There is no method ${name}.`);
    const client = createClient(found, transport) as unknown as Record<string, Invoke>; // the client was made from descriptors
    let headers = new Headers();
    const reply = await client[method.localName]?.(fromJson(method.input, message), {
      onHeader: (received) => {
        headers = received;
      },
      ...options,
      headers: { authorization: 'Bearer dev-token', ...(options.headers as Record<string, string>) },
    });
    if (!reply) throw new Error(`${name} has no reply.`);
    return {
      body: toJson(method.output, reply, { registry: REGISTRY, useProtoFieldName: true }) as JsonObject,
      headers,
    };
  };
  return {
    call,
    fail: async (name, message, options) => {
      try {
        await call(name, message, options);
      } catch (error) {
        return ConnectError.from(error);
      }
      throw new Error(`${name} did not fail.`);
    },
  };
};

type Invoke = (message: Message, options: CallOptions) => Promise<Message>;

/** The details of an error, decoded as the error message of the descriptors. */
export const detailOf = (error: ConnectError): JsonObject => {
  const message = REGISTRY.getMessage('example.accounts.v1.errors.ErrorInfo');
  const [detail] = message ? error.findDetails(message) : [];
  if (!message || !detail) throw new Error(`No details: ${error.message}`);
  return toJson(message, detail, { useProtoFieldName: true }) as JsonObject;
};

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
