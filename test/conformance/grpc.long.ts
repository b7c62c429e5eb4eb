/**
 * The table of cases over gRPC. Two mocks have the same data: one gets each call of a case as it is, the other one gets
 * it as a gRPC call, if a message can express it. Both must answer alike, to this call and to later ones.
 */
import type { DescMessage, JsonObject } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { afterAll, describe, expect, test } from '@jest/globals';
import { changesData } from '../../src/conformance/case.ts';
import type { Reply, Request } from '../../src/conformance/request.ts';
import { cut } from '../../src/engine/core/text.ts';
import { loadContract } from '../../src/service/document.ts';
import { CARRIED, type Call, isObject, jsonOf, normal, toCall } from '../grpc/rest-as-grpc.ts';
import { REGISTRY, startGrpc } from '../grpc/support.ts';
import { ALL_CASES } from './cases/index.ts';
import { byHttp, check, NOW, titleOf, toDoor } from './doors.ts';

const OPTIONS = { clock: NOW, baseUrl: 'http://127.0.0.1:4720', log: 'silent' } as const;
const [{ mock: rest }, { mock: grpc }] = [await startGrpc(OPTIONS), await startGrpc(OPTIONS)];
const [toRest, toSame] = [byHttp(rest), byHttp(grpc)];
const transport = createGrpcTransport({ baseUrl: grpc.url });
const ERROR = REGISTRY.getMessage('example.accounts.v1.errors.ErrorInfo') as DescMessage;
/** Headers that a REST reply and a gRPC reply must have alike. */
const COMPARED = ['retry-after', 'www-authenticate', 'preference-applied'];

/** How often each operation was called by gRPC. */
const called = new Map<string, number>();

const send = async (request: Request): Promise<Reply> => {
  const { method, url, headers, body = '' } = request;
  const call = toCall({ method, path: url, headers, body });
  const reply = await toRest(request);
  if (call === undefined) {
    const { status, body: same } = await toSame(request);
    expect({ status, same }).toEqual({ status: reply.status, same: reply.body });
    return reply;
  }
  const { operationId } = call.rule.operation;
  called.set(operationId, (called.get(operationId) ?? 0) + 1);
  expect(await overGrpc(call, headers)).toEqual(expected(call, reply));
  return reply;
};

const overGrpc = async ({ method, message }: Call, headers: Request['headers']): Promise<unknown> => {
  const metadata = Object.entries(headers).filter(([name]) => CARRIED.includes(name));
  try {
    const reply = await transport.unary(method, undefined, undefined, metadata, message);
    return { body: jsonOf(method.output, reply.message), ...compared(Object.fromEntries(reply.header)) };
  } catch (thrown) {
    const error = ConnectError.from(thrown);
    const [detail] = error.findDetails(ERROR);
    const own = compared(Object.fromEntries(error.metadata));
    return { code: error.code, text: error.rawMessage, detail: detail && jsonOf(ERROR, detail), ...own };
  }
};

const compared = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(COMPARED.map((name) => [name, headers[name]]));

/** The gRPC reply that must correspond to the REST reply. */
const expected = ({ method, rule }: Call, { status, body, headers }: Reply): unknown => {
  const parsed = body as JsonObject; // every operation answers with an object
  if (status >= 400) return { ...expectedError(status, parsed), ...compared(headers) };
  const whole = rule.responseBody === undefined ? parsed : { [rule.responseBody]: parsed };
  return { body: normal(method.output, whole), ...compared(headers) };
};

const expectedError = (status: number, { code, message, details, error, ...rest }: JsonObject) => {
  const [detail] = Array.isArray(details) ? details : [{ error_code: error ?? '' }];
  return {
    code: code ?? (status === 401 ? Code.Unauthenticated : Code.InvalidArgument),
    text: cut(String(message ?? rest.error_description), 1_000), // the most characters that a gRPC error holds
    detail: isObject(detail) ? normal(ERROR, detail) : undefined,
  };
};

afterAll(() => Promise.all([rest.close(), grpc.close()]));

for (const [noun, cases] of ALL_CASES)
  describe(noun, () => {
    for (const one of cases)
      test(titleOf(one), async () => {
        if (changesData(one))
          for (const mock of [rest, grpc]) await (await mock.environment()).reset({ scenario: 'default' });
        await check(one, await toDoor(await rest.environment(), send));
      });
  });

test('every operation was called by gRPC', () => {
  const missing = loadContract().operations.filter(({ operationId }) => !called.has(operationId));
  expect(missing.map(({ operationId }) => operationId)).toEqual([]);
});
