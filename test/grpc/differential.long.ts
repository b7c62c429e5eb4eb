/**
 * Sends every call of the conformance suite to a server that passes it on to two mocks with the same data. The first
 * mock gets the request unchanged. The second gets it as a gRPC call, if a message can express the whole request. Both
 * must give the same answers, to this call and to later calls.
 */
import { type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import type { DescMessage, JsonObject } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Report, runSuite } from '../../src/conformance/verify/run.ts';
import { loadContract } from '../../src/engine/contract/load.ts';
import { cut } from '../../src/engine/core/text.ts';
import { DATA } from '../conformance/verify/data.ts';
import { serveHttp } from '../support/http-server.ts';
import { CARRIED, type Call, type Given, isObject, jsonOf, normal, toCall } from './rest-as-grpc.ts';
import { REGISTRY, startGrpc } from './support.ts';

/** Headers that a REST reply and a gRPC reply must have alike. */
const COMPARED = ['retry-after', 'www-authenticate', 'preference-applied'];

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** How often each operation was called by gRPC. */
const called = new Map<string, number>();
const differences: unknown[] = [];
let sent = 0;
let last: Promise<unknown> = Promise.resolve();
const { url, close } = await serveHttp((request, response) => {
  last = last.then(() => answer(request, response)); // one call at a time, so that both mocks count calls in the same order
});
const options = { clock: '2026-03-02T10:00:00Z', baseUrl: url };
const [rest, grpc] = [await startGrpc(options), await startGrpc(options)];
const transport = createGrpcTransport({ baseUrl: grpc.mock.url });
let report: Report;

beforeAll(async () => {
  const { credentials } = await rest.mock.environment('development');
  report = await runSuite({ baseUrl: url, ...credentials, ...DATA, write: true, inferred: true });
});

afterAll(close);

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { method = '', url: path = '', headers } = request;
  sent += 1;
  const given = { method, path, headers, body: await text(request) };
  const call = toCall(given);
  const reply = await forward(rest.mock.url, given);
  if (call) {
    const { operationId } = call.rule.operation;
    called.set(operationId, (called.get(operationId) ?? 0) + 1);
  }
  const found = call ? await callByGrpc(call, given) : summaryOf(await forward(grpc.mock.url, given));
  const expected = call ? toExpected(call, reply) : summaryOf(reply);
  if (JSON.stringify(found) !== JSON.stringify(expected))
    differences.push({ asked: `${method} ${path} ${given.body}`, expected, found });
  response.writeHead(reply.status, ofReply(reply.headers)).end(reply.body);
};

const callByGrpc = async ({ method, message }: Call, given: Given): Promise<unknown> => {
  const headers = CARRIED.flatMap((name): [string, string][] => {
    const value = given.headers[name];
    return value === undefined ? [] : [[name, String(value)]];
  });
  try {
    const { message: reply, header } = await transport.unary(method, undefined, undefined, headers, message);
    return { body: jsonOf(method.output, reply), ...compared(Object.fromEntries(header)) };
  } catch (error) {
    return toFound(ConnectError.from(error));
  }
};

const forward = (base: string, { method, path, headers, body }: Given): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base);
    send({ hostname, port, method, path, headers }, async (reply) => {
      const { statusCode: status = 0, headers } = reply;
      resolve({ status, headers, body: await text(reply) });
    })
      .on('error', reject)
      .end(body);
  });

const ofReply = ({ connection, 'transfer-encoding': _coding, ...headers }: Reply['headers']) => headers;

const summaryOf = ({ status, body, headers: { location } }: Reply) => ({ status, body, location });

const compared = (headers: Reply['headers']) =>
  Object.fromEntries(COMPARED.map((name) => [name, headers[name]]));

/** The gRPC reply that must correspond to the REST reply. */
const toExpected = ({ method, rule }: Call, { status, body, headers }: Reply): unknown => {
  const parsed: JsonObject = JSON.parse(body);
  if (status >= 400) return { ...toExpectedError(status, parsed), ...compared(headers) };
  const whole = rule.responseBody === undefined ? parsed : { [rule.responseBody]: parsed };
  return { body: normal(method.output, whole), ...compared(headers) };
};

const ERROR = REGISTRY.getMessage('example.accounts.v1.errors.ErrorInfo') as DescMessage;

const toExpectedError = (status: number, { code, message, details, error, ...rest }: JsonObject) => {
  const [detail] = Array.isArray(details) ? details : [{ error_code: error ?? '' }];
  return {
    code: code ?? (status === 401 ? Code.Unauthenticated : Code.InvalidArgument),
    text: cut(String(message ?? rest.error_description), 1_000), // the most characters that a gRPC error holds
    detail: isObject(detail) ? normal(ERROR, detail) : undefined,
  };
};

const toFound = (error: ConnectError): unknown => {
  const [detail] = error.findDetails(ERROR);
  return {
    code: error.code,
    text: error.rawMessage,
    detail: detail && jsonOf(ERROR, detail),
    ...compared(Object.fromEntries(error.metadata)),
  };
};

test('every call gets the same answer by REST and by gRPC', () => {
  expect(differences).toEqual([]);
});

test('the comparison calls every operation by gRPC, and makes most of its calls by gRPC', () => {
  const missing = loadContract().operations.filter(({ operationId }) => !called.has(operationId));
  expect(missing.map(({ operationId }) => operationId)).toEqual([]);
  const calls = [...called.values()].reduce((sum, count) => sum + count, 0);
  expect(calls).toBeGreaterThan(sent / 2);
});

test('the conformance suite passes while every call is also sent by gRPC', () => {
  const wrong = report.outcomes.filter(({ result }) => result !== 'passed');
  expect(wrong.map(({ case: { name }, messages }) => `${name}: ${messages.join('; ')}`)).toEqual([]);
});
