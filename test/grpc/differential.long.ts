/**
 * Sends every call of the conformance suite to a server that passes it on to two mocks with the same data. The first
 * mock gets the request unchanged. The second gets it as a gRPC call, if a message can express the whole request. Both
 * must give the same answers, to this call and to later calls.
 */
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  request as send,
} from 'node:http';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import {
  type DescField,
  type DescMessage,
  type DescMethodUnary,
  fromJson,
  type JsonObject,
  type JsonValue,
  type Message,
  toJson,
} from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Report, runSuite } from '../../src/conformance/verify/run.ts';
import { loadContract } from '../../src/contract/load.ts';
import { cut } from '../../src/core/text.ts';
import { type BoundRule, bindMethods } from '../../src/grpc/bind.ts';
import { DATA } from '../conformance/verify/data.ts';
import { serveHttp } from '../support/http-server.ts';
import { REGISTRY, startGrpc } from './support.ts';

/** Names of the contract that the descriptors spell differently, apart from the prefixes of enum values. */
const NAMES: Readonly<Record<string, string>> = {
  vendorb_dwd: 'contoso_dwd',
  VENDORB_DWD: 'CONTOSO_DWD',
  VENDORA_OAUTH1: 'NORTHWIND_OAUTH1',
  authRequests: 'auth_requests',
};

/** Headers that metadata carries too, and headers about the connection. A call with any other header is REST only. */
const CARRIED = ['authorization', 'x-mock-environment', 'baggage', 'prefer', 'x-request-id'];
const OF_CONNECTION =
  /^(host|connection|accept(-.*)?|user-agent|sec-fetch-mode|content-(type|length)|transfer-encoding)$/;
/** Headers that a REST reply and a gRPC reply must have alike. */
const COMPARED = ['retry-after', 'www-authenticate', 'preference-applied'];

interface Given {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Call {
  readonly rule: BoundRule;
  readonly method: DescMethodUnary;
  readonly message: Message;
}

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

const METHODS = bindMethods(REGISTRY, loadContract()).flatMap(({ method, rules }) =>
  // The cast is safe, since only methods with one request and one reply have rules.
  rules.map((rule) => ({ method: method as DescMethodUnary, rule, path: toPattern(rule) })),
);

function toPattern({ operation }: BoundRule): RegExp {
  const escaped = operation.path.replaceAll('.', '\\.');
  return new RegExp(`^${escaped.replaceAll(/\{\w+\}/g, '([^/:]+(?::[^/:]+)*)')}$`);
}

/** The gRPC call for a request; undefined if no message can express the request. */
const toCall = (given: Given): Call | undefined => {
  const { method: verb, path: url, headers } = given;
  const isPlain = Object.keys(headers).every((name) => CARRIED.includes(name) || OF_CONNECTION.test(name));
  const { pathname, searchParams } = new URL(url, 'http://mock');
  for (const { method, rule, path } of METHODS) {
    const values = rule.verb === verb && isPlain ? path.exec(pathname)?.slice(1) : undefined;
    if (!values) continue;
    try {
      const fields = toFields(rule, method.input, values.map(decodeURIComponent), searchParams, given);
      const wanted = spell(fields, method.input);
      const message = fromJson(method.input, wanted, { registry: REGISTRY });
      if (isDeepStrictEqual(jsonOf(method.input, message), asTexts(wanted))) return { rule, method, message };
    } catch {
      // Only REST can send a body that is not JSON, an unknown member, or a value of another type.
    }
  }
  return undefined;
};

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

/** @throws Error if a message cannot hold the parts of a request separately */
const toFields = (
  rule: BoundRule,
  message: DescMessage,
  values: readonly string[],
  query: URLSearchParams,
  given: Given,
): JsonObject => {
  const fields = { ...fieldsOfBody(rule, given), ...fieldsOfQuery(query, message) };
  if (rule.body === '*' && query.size > 0) throw new Error('All fields are in the body.');
  rule.variables.forEach((path, index) => {
    const [name = '', inner] = path.split('.');
    if (name in fields) throw new Error(`${name} is given twice.`);
    const value = values[index] ?? '';
    fields[name] = inner === undefined ? value : { [inner]: value };
  });
  return fields;
};

const fieldsOfQuery = (query: URLSearchParams, message: DescMessage): JsonObject =>
  Object.fromEntries(
    [...query.keys()].map((name) => {
      const all = query.getAll(name);
      const isList = message.fields.some((field) => field.name === name && field.fieldKind === 'list');
      return [name, isList || all.length > 1 ? all : (all[0] ?? '')];
    }),
  );

const fieldsOfBody = ({ body: part, operation }: BoundRule, { headers, body }: Given): JsonObject => {
  const wanted = operation.path === '/oauth/token' ? FORM : JSON_TYPE;
  const [type] = (headers['content-type'] ?? JSON_TYPE).split(';');
  if (type !== wanted) throw new Error(`${type} is for REST alone.`);
  if (part === undefined && body !== '') throw new Error('The method has no body.');
  const sent = wanted === FORM ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body || '{}');
  if (!isObject(sent)) throw new Error('A message is an object.');
  if (wanted === JSON_TYPE && body !== '' && JSON.stringify(sent) !== body)
    throw new Error('A member is given twice.');
  if (part === undefined) return {};
  return part === '*' ? sent : { [part]: sent };
};

/** JSON of the contract as JSON of a message. Members that the message does not have stay as they are. */
const spell = (given: JsonObject, message: DescMessage): JsonObject => {
  const spelled: JsonObject = {};
  for (const [name, value] of Object.entries(given)) {
    const field = message.fields.find((one) => one.name === (NAMES[name] ?? name));
    if (!field) spelled[name] = value;
    else if (value !== null) spelled[field.name] = spellValue(value, field);
  }
  return spelled;
};

const spellValue = (value: JsonValue, field: DescField): JsonValue =>
  field.fieldKind === 'list' && Array.isArray(value)
    ? value.map((one) => spellOne(one, field))
    : spellOne(value, field);

const spellOne = (value: JsonValue, field: DescField): JsonValue => {
  if (field.enum && typeof value === 'string') {
    const wanted = NAMES[value] ?? value;
    const { values, sharedPrefix = '' } = field.enum;
    const found = values.find(({ name }) => name === wanted || name === sharedPrefix.toUpperCase() + wanted);
    return found?.name ?? value;
  }
  const isOwn = field.message && !field.message.typeName.startsWith('google.');
  if (field.fieldKind !== 'map' && isOwn && isObject(value)) return spell(value, field.message);
  return value;
};

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const jsonOf = (descriptor: DescMessage, message: Message): JsonValue =>
  asTexts(toJson(descriptor, message, { registry: REGISTRY, useProtoFieldName: true }));

/** Turns numbers into texts, because the JSON of messages writes 64-bit numbers as texts. */
const asTexts = (value: JsonValue): JsonValue => {
  if (Array.isArray(value)) return value.map(asTexts);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asTexts(one)]));
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
};

/** The gRPC reply that must correspond to the REST reply. */
const toExpected = ({ method, rule }: Call, { status, body, headers }: Reply): unknown => {
  const parsed: JsonObject = JSON.parse(body);
  if (status >= 400) return { ...toExpectedError(status, parsed), ...compared(headers) };
  const whole = rule.responseBody === undefined ? parsed : { [rule.responseBody]: parsed };
  return { body: normal(method.output, whole), ...compared(headers) };
};

const normal = (descriptor: DescMessage, body: JsonObject): JsonValue => {
  const options = { registry: REGISTRY, ignoreUnknownFields: true };
  return jsonOf(descriptor, fromJson(descriptor, spell(body, descriptor), options));
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
