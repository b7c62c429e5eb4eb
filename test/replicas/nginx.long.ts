/** Four replicas behind nginx with the guide's configuration: each call must reach the replica of its environment. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readBlocks } from '../support/pages.ts';
import { builtProgram, type Program, type Running } from '../support/program.ts';
import { type Answer, type CallOptions, send } from '../support/server.ts';

const COUNT = 1_000;
const NAMES = Array.from({ length: COUNT }, (_, nth) => `env-${nth}`);
const ACCOUNTS = '/api/v1/connected_accounts';
const CONTROL = 'secret';

/** In CI, which installs nginx, the tests run in any case, and fail without nginx. */
const areRun = process.env.CI !== undefined || spawnSync('nginx', ['-v']).error === undefined;
const check = areRun ? test : test.skip;

let program: Program;
let replicas: Running[];
let proxy: ChildProcess;
let port: number;
let folder: string;
/** Access tokens by the name of the environment. */
const tokens = new Map<string, string>();
/** By the name of an environment, the index in `replicas` of the replica that holds the environment. */
const owners = new Map<string, number>();

const startReplica = (at = 0): Promise<Running> =>
  program.serve([
    ...['--port', String(at), '--base-url', `http://{env}.mock.test:${port}`],
    ...['--control-token', CONTROL, '--log', 'json'],
  ]);

const portOf = ({ url }: Running): number => Number(new URL(url).port);

beforeAll(async () => {
  if (!areRun) return;
  program = builtProgram();
  port = await freePort();
  replicas = await Promise.all([0, 0, 0, 0].map(startReplica));
  folder = mkdtempSync(join(tmpdir(), 'ca-mock-nginx-'));
  const [conf] = readBlocks(readFileSync('src/guide/processes.md', 'utf8')).filter(
    ({ options }) => options.name === 'nginx.conf',
  );
  const ports = replicas.map(portOf);
  const text = (conf?.text ?? '')
    .replace(/listen 4720/, `listen 127.0.0.1:${port}`)
    .replaceAll(/127\.0\.0\.1:472([1-4])/g, (_all, nth) => `127.0.0.1:${ports[Number(nth) - 1]}`);
  writeFileSync(join(folder, 'nginx.conf'), text);
  const settings = `daemon off; pid ${folder}/nginx.pid; error_log stderr crit;`;
  proxy = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-g', settings], { stdio: 'inherit' });
  await untilListening();
});

afterAll(async () => {
  if (!areRun) return;
  proxy.kill('SIGTERM');
  await once(proxy, 'exit');
  await program.stop();
  rmSync(folder, { recursive: true, force: true });
});

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
};

const untilListening = async (): Promise<void> => {
  for (;;) {
    if ((await ask('GET', '/keys').catch(() => undefined))?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/** Calls the proxy. A `host` in the headers is only sent, never looked up. */
const ask = (method: string, path: string, options?: CallOptions): Promise<Answer> =>
  send(`http://127.0.0.1:${port}`, method, path, options);

/** Headers for each of the three ways in which a call can name its environment. */
const WAYS: readonly ((name: string) => Record<string, string>)[] = [
  (name) => ({ host: `${name}.mock.test:${port}` }),
  (name) => ({ 'x-mock-environment': name }),
  (name) => ({ baggage: `tenant=1, mock-environment=${name}` }),
];

/** The options of a call that names the environment by `WAYS[way]`. */
const within = (name: string, way = 0): CallOptions => ({
  headers: WAYS[way]?.(name) ?? {},
  token: tokens.get(name) ?? null,
});

/** Runs `step` for every item, at most twenty at the same time. */
const each = async <Item>(items: Iterable<Item>, step: (item: Item) => Promise<void>): Promise<void> => {
  const left = items[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (let next = left.next(); !next.done; next = left.next()) await step(next.value);
  };
  await Promise.all(Array.from({ length: 20 }, work));
};

const put = async (name: string): Promise<void> => {
  const { status, body } = await ask('PUT', `/_mock/environments/${name}`, { token: CONTROL, body: {} });
  expect([name, status]).toEqual([name, 201]);
  tokens.set(name, body.access_token);
};

check(
  '1,000 environments are spread over four replicas, and each of the three ways to name an environment reaches it',
  async () => {
    await each(NAMES, put);
    for (const [nth, { url }] of replicas.entries()) {
      const { body } = await send(url, 'GET', '/_mock/environments', { token: CONTROL });
      for (const { name } of body.environments) if (tokens.has(name)) owners.set(name, nth);
    }
    expect(owners.size).toBe(COUNT);
    for (const nth of replicas.keys()) {
      const share = [...owners.values()].filter((owner) => owner === nth).length;
      expect(share).toBeGreaterThan(COUNT / 8);
    }
    await each(NAMES, async (name) => {
      const body = { connector: 'mail', identifier: `${name}@acme.test` };
      expect((await ask('POST', ACCOUNTS, { ...within(name), body })).status).toBe(201);
      for (const way of WAYS.keys())
        expect((await ask('GET', ACCOUNTS, within(name, way))).body.total_size).toBe(13);
    });
  },
  120_000,
);

check(
  'the host of a link names the environment, and the link also works on a host without that name',
  async () => {
    const body = { connector: 'mail', identifier: 'you@acme.test' };
    const made = await ask('POST', `${ACCOUNTS}/magic_link`, { ...within('env-7'), body });
    const { host, pathname } = new URL(made.body.link);
    expect(host).toBe(`env-7.mock.test:${port}`);
    for (const name of [host, `mock.test:${port}`, `127.0.0.1:${port}`])
      expect([name, (await ask('GET', pathname, { token: null, headers: { host: name } })).status]).toEqual([
        name,
        200,
      ]);
  },
);
