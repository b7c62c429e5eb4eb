/** Faults, stubs and clients that leave, against a mock that ends at the first promise whose error nobody takes. */
import type { JsonObject } from '@bufbuild/protobuf';
import { type CallOptions, Code, ConnectError } from '@connectrpc/connect';
import { afterAll, expect, test } from '@jest/globals';
import { connectMock } from '#mock';
import { builtProgram } from '../support/program.ts';
import { callsOver, SDK, transports } from './support.ts';

const program = builtProgram();
afterAll(() => program.stop());

const NAMES: readonly (readonly [name: string, message: JsonObject])[] = [
  ['ListConnectedAccounts', {}], // an operation
  ['GetConnectedAccountAuth', {}], // without a value for its path
  ['DisconnectConnectedAccount', { id: 'ca_1' }], // a stub for its HTTP rule
  ['CountConnectedAccounts', {}], // a stub for its own path
];

const STUBS = [
  { method: 'POST', path: '/api/v1/connected_accounts/{id}:disconnect', body: {} },
  { method: 'POST', path: '/example.accounts.v1.ConnectedAccounts/CountConnectedAccounts', body: 12 },
] as const;

const FAULTS = [
  { abort: true },
  { abort: true, delay_ms: 5 },
  { delay_ms: 60 },
  { status: 503 },
  { status: 502, body: { code: 'x' } },
] as const;

test('behaviour X4: nothing that a fault, a stub or a client does to a gRPC call is an unhandled rejection', async () => {
  const env = { NODE_OPTIONS: '--unhandled-rejections=strict' };
  const flags = SDK.flatMap((path) => ['--grpc-descriptors', path]);
  const server = await program.serve(['--port', '0', '--scenario', 'default', ...flags], { env });
  const environment = await (await connectMock(server.url)).environment();
  const clients = Object.values(transports(server.url)).map(callsOver);
  const callAll = async (patienceOf: () => CallOptions = () => ({})): Promise<readonly Code[]> =>
    Promise.all(
      clients.flatMap(({ call }) =>
        NAMES.map(([name, message]) =>
          call(`ConnectedAccounts/${name}`, message, patienceOf()).then(
            () => 0,
            (error: unknown) => ConnectError.from(error).code,
          ),
        ),
      ),
    );
  await environment.patchState({ stubs: [...STUBS] });
  const none = await callAll();
  expect(new Set(none)).toEqual(new Set([0, Code.InvalidArgument]));
  for (const fault of FAULTS) {
    await environment.faults.add({ operation: '*', ...fault });
    const found = await callAll();
    if ('abort' in fault) expect(new Set(found)).toContain(Code.Unavailable);
    await callAll(() => ({ timeoutMs: 3 }));
    await callAll(() => ({ signal: AbortSignal.timeout(2) }));
    await environment.faults.clear();
  }
  expect(await callAll()).toEqual(none);
  const { code, stderr } = await server.stop();
  expect([code, stderr]).toEqual([0, '']);
});
