/** Compares the cost of the same calls by REST and by gRPC, in turns against one server. */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:http2';
import { join } from 'node:path';
import { createFileRegistry, fromBinary, fromJson, toBinary } from '@bufbuild/protobuf';
import * as wkt from '@bufbuild/protobuf/wkt';
import { encodeEnvelope } from '@connectrpc/connect/protocol';
import { cpuSeconds, freePort, SERVER_CORE, startPinned, stop, untilFirst200 } from '../machine.mjs';
import { median, round, table } from '../stats.mjs';
import { TOKEN } from '../work.mjs';

const ROOT = new URL('../../../', import.meta.url).pathname;
const DESCRIPTORS = join(ROOT, 'test/grpc/accounts.binpb');
const PACKAGE = 'example.accounts.v1';
const AT_ONCE = 10;

let made = 0;
/** The calls that both clients send. The list differs each time, so that the server cannot answer it from memory. */
const WORK = {
  list: () => ({ method: 'ConnectedAccounts/ListConnectedAccounts', path: '', fields: { pageSize: 10 } }),
  'list, first time': () => {
    made += 1;
    const identifier = `none-${made}@x.test`;
    return {
      method: 'ConnectedAccounts/ListConnectedAccounts',
      path: `?identifier=${encodeURIComponent(identifier)}`,
      fields: { identifier },
    };
  },
  auth: () => ({
    method: 'ConnectedAccounts/GetConnectedAccountAuth',
    path: '/auth?id=ca_100000000000000001',
    fields: { id: 'ca_100000000000000001' },
  }),
  create: () => {
    made += 1;
    const fields = { connector: 'mail', identifier: `user-${made}@x.test` };
    return {
      method: 'ConnectedAccounts/CreateConnectedAccount',
      path: '',
      fields,
      body: JSON.stringify(fields),
    };
  },
};

/** @returns for each work, the server's CPU microseconds per call and the calls per second, by REST and by gRPC */
export const measureGrpc = async ({ options, log }) => {
  const port = await freePort();
  const flags = ['start', '--port', String(port), '--scenario', 'default', '--log', 'silent'];
  const cli = join(process.env.CA_MOCK_DIST ?? join(ROOT, 'dist'), 'cli.js');
  const command = [process.execPath, cli, ...flags, '--grpc-descriptors', DESCRIPTORS];
  const child = startPinned(SERVER_CORE, command);
  try {
    await untilFirst200(child, port, '/api/v1/connected_accounts', TOKEN);
    return await measureAll({ port, child, options, log });
  } finally {
    await stop(child);
  }
};

const measureAll = async ({ port, child, options: { rounds, seconds, warmUp }, log }) => {
  const clients = { rest: restClient(port), grpc: grpcClient(port) };
  const rows = [];
  for (const [work, next] of Object.entries(WORK)) {
    const found = { rest: [], grpc: [] };
    // Warms up: V8 makes code fast only after about a thousand runs.
    for (const client of Object.values(clients)) await load(client, next, warmUp * 3);
    for (let nth = 0; nth < rounds; nth += 1)
      for (const [name, client] of Object.entries(clients)) {
        const before = cpuSeconds(child.pid);
        const { calls, rate } = await load(client, next, seconds);
        found[name].push({ cpu: ((cpuSeconds(child.pid) - before) / calls) * 1e6, rate });
      }
    const of = (name, member) => median(found[name].map((one) => one[member]));
    rows.push({
      work,
      rest: of('rest', 'cpu'),
      grpc: of('grpc', 'cpu'),
      restRate: of('rest', 'rate'),
      grpcRate: of('grpc', 'rate'),
    });
    const { rest, grpc } = rows.at(-1);
    log(`${work}: REST ${round(rest, 1)} µs CPU, gRPC ${round(grpc, 1)} µs CPU, ${round(grpc / rest, 2)}x`);
  }
  for (const client of Object.values(clients)) client.close();
  return rows;
};

const load = async ({ call }, next, seconds) => {
  const startedAt = performance.now();
  const until = startedAt + seconds * 1_000;
  let calls = 0;
  const keepCalling = async () => {
    while (performance.now() < until) {
      await call(next());
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, keepCalling));
  return { calls, rate: calls / ((performance.now() - startedAt) / 1_000) };
};

const restClient = (port) => {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const call = ({ path, body }) =>
    new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${TOKEN}`,
        ...(body && { 'content-type': 'application/json' }),
      };
      const method = body ? 'POST' : 'GET';
      const sent = request(
        { port, host: '127.0.0.1', agent, method, path: `/api/v1/connected_accounts${path}`, headers },
        (reply) => {
          if (reply.statusCode > 299) reject(new Error(`REST answered ${reply.statusCode}`));
          reply.on('end', resolve).resume();
        },
      );
      sent.on('error', reject).end(body);
    });
  return { call, close: () => agent.destroy() };
};

/** A client over node's HTTP/2. A client library would need more time than the measured server. */
const grpcClient = (port) => {
  const session = connect(`http://127.0.0.1:${port}`);
  const files = fromBinary(wkt.FileDescriptorSetSchema, readFileSync(DESCRIPTORS)).file;
  const messages = createMessages(files);
  const call = ({ method, fields }) =>
    new Promise((resolve, reject) => {
      const stream = session.request({
        ':method': 'POST',
        ':path': `/${PACKAGE}.${method}`,
        'content-type': 'application/grpc',
        te: 'trailers',
        authorization: `Bearer ${TOKEN}`,
      });
      const end = (headers) => {
        const status = headers['grpc-status'];
        if (status === '0') resolve();
        else if (status !== undefined)
          reject(new Error(`gRPC answered ${status} ${headers['grpc-message']}`));
      };
      stream.on('response', end).on('trailers', end).on('error', reject).resume();
      stream.end(messages(method, fields));
    });
  return { call, close: () => session.close() };
};

/** Makes the frames of requests. They do not need the imports that the descriptors lack. */
const createMessages = (files) => {
  const own = files.find(({ name }) => name.endsWith('accounts.proto'));
  const known = Object.values(wkt).filter((value) => value?.kind === 'file');
  const names = known.map(({ proto }) => proto.name);
  own.dependency = own.dependency.filter((name) => names.includes(name));
  const registry = createFileRegistry(own, (name) => known.find(({ proto }) => proto.name === name));
  return (method, fields) => {
    const [service, name] = method.split('/');
    const { input } = registry.getService(`${PACKAGE}.${service}`).methods.find((one) => one.name === name);
    return encodeEnvelope(0, toBinary(input, fromJson(input, fields)));
  };
};

export const presentGrpc = (rows) =>
  table(
    ['call', 'REST, µs CPU', 'gRPC, µs CPU', 'ratio', 'REST, calls/s', 'gRPC, calls/s'],
    rows.map(({ work, rest, grpc, restRate, grpcRate }) => [
      work,
      round(rest, 1),
      round(grpc, 1),
      `${round(grpc / rest, 2)}x`,
      round(restRate),
      round(grpcRate),
    ]),
  );
