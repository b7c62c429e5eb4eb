/** Puts a mock together: scenario and contract become a world, the world a server, and a test gets a handle on both. */
import type { RequestListener } from 'node:http';
import { loadContract } from '../contract/load.ts';
import { packageVersion } from '../contract/package-root.ts';
import { createSurfaces } from '../contract/surface.ts';
import { readSettings } from '../domain/settings-form.ts';
import { type Listener, listen } from '../http/listener.ts';
import { withRequestLog } from '../http/request-log.ts';
import { mergeState, replaceState } from '../scenario/change.ts';
import { exportEnvironment } from '../scenario/export/environment.ts';
import { createServer, type Server } from '../server.ts';
import type { Environment } from '../world/environment.ts';
import { createRuntimeEnvironment } from '../world/runtime.ts';
import { closeWorld, createWorld, type World } from '../world/world.ts';
import { type Calls, createCalls } from './calls.ts';
import { readClockSetting } from './clock-setting.ts';
import { createEnvironmentHandle, requireEnvironment } from './environment.ts';
import { createFetch } from './in-process/fetch.ts';
import { describe, type Log, toLog } from './log.ts';
import type { Mock } from './mock.ts';
import type { EnvironmentOptions, MockOptions, StartOptions } from './options.ts';
import { reloadOnChange } from './reload.ts';
import { requireEnvironmentOptions, requireMockOptions, requireStartOptions } from './requirements.ts';
import { createScenarioLoader, type ScenarioLoader } from './scenario.ts';
import { warmUp } from './warm-up.ts';

/** The address of a mock that does not listen. */
const IN_PROCESS_URL = 'http://mock.local';
const DEFAULT_PORT = 4720;
const DEFAULT_HOST = '127.0.0.1';
/** Milliseconds that calls under way have when the mock closes. */
const GRACE = 5_000;

/**
 * The same as `startMock` without a listening port: `mock.fetch` only.
 * @throws ScenarioError for a scenario that is wrong, naming every fault; TypeError for an option that is
 */
export const createMock = (options: MockOptions = {}): Mock => {
  requireMockOptions(options);
  return toMock(assemble(options));
};

/**
 * Starts a mock that listens. Resolves when the first call will be answered.
 * @throws ScenarioError for a scenario that is wrong, naming every fault; TypeError for an option that is; Error for an
 * address that cannot be listened on, or that other machines can reach while there is no control token
 */
export const startMock = async (options: StartOptions = {}): Promise<Mock> => {
  requireStartOptions(options);
  const { tlsCert, tlsKey, port = DEFAULT_PORT, host = DEFAULT_HOST } = options;
  const tls = tlsCert !== undefined && tlsKey !== undefined ? { cert: tlsCert, key: tlsKey } : undefined;
  const parts = assemble(options);
  try {
    await warmUp(parts.world, parts.calls.fetch);
    const { app, messages } = parts.server;
    const listener = await listen(withLog(app, options), messages, { port, host, tls });
    if (options.baseUrl === undefined) parts.world.baseUrl = listener.url;
    return toMock({ ...parts, listener });
  } catch (error) {
    parts.stopWatching();
    throw error;
  }
};

/** What a mock consists of. */
interface Parts {
  readonly world: World;
  readonly server: Server;
  readonly loader: ScenarioLoader;
  readonly calls: Calls;
  readonly listener?: Listener;
  readonly stopWatching: () => void;
}

const assemble = (options: StartOptions): Parts => {
  const log = toLog(options.log ?? 'pretty');
  const contract = loadContract();
  const loader = createScenarioLoader(options);
  const scenario = loader.load();
  const world = createWorld(scenario, addressOf(options) ?? IN_PROCESS_URL, createSurfaces(contract));
  const server = createServer({
    world,
    contract,
    validateResponses: options.validateResponses ?? 'report',
    control: toControlOptions(options, loader),
    ...toListeners(log, options),
  });
  const fetch = createFetch({ ...server, url: () => world.baseUrl, isOwn: (url) => isOwn(url, world) });
  return {
    world,
    server,
    loader,
    calls: createCalls(fetch),
    stopWatching: options.watch ? reloadOnChange(world, loader, scenario.files, log) : () => {},
  };
};

/** What the control plane needs beside the world. */
const toControlOptions = ({ controlToken, host }: StartOptions, loader: ScenarioLoader) => ({
  scenarios: { load: loader.load, list: loader.list, exportEnvironment, mergeState, replaceState },
  version: packageVersion(),
  controlToken,
  host,
});

/** Links begin with it, so it ends without a slash. */
const addressOf = ({ baseUrl }: MockOptions): string | undefined => baseUrl?.replace(/\/+$/, '');

/** Of this mock are its own address, the one it says it has, the one of a mock that does not listen, and E2's hosts. */
const isOwn = ({ origin, hostname }: URL, world: World, listener?: Listener): boolean =>
  origin === new URL(world.baseUrl).origin ||
  origin === listener?.url ||
  origin === IN_PROCESS_URL ||
  hostname.endsWith('.localhost');

/** What the server tells, as entries of the log. */
const toListeners = (log: Log, options: MockOptions) => ({
  onReplyViolation: ({ method, url }: { method: string; url: string }, error: unknown) =>
    log({ event: 'reply_violation', method, url, message: describe(error) }),
  onFault: (error: unknown) => log({ event: 'fault', message: describe(error, 'stack') }),
});

/** Single requests are for functions only. */
const withLog = (app: RequestListener, { log }: MockOptions): RequestListener =>
  typeof log === 'function' ? withRequestLog(app, (entry) => log({ event: 'request', ...entry })) : app;

const toMock = (parts: Parts): Mock => {
  const { world, server, loader, calls, listener, stopWatching } = parts;
  const close = async (): Promise<void> => {
    stopWatching();
    closeWorld(world);
    server.close();
    await Promise.all([calls.close(GRACE), listener?.close()]);
  };
  return {
    url: listener?.url ?? world.baseUrl,
    get scenario() {
      const { name, description } = world.scenario;
      return { name, description };
    },
    environments: () => [...world.environments.values()].map((one) => createEnvironmentHandle(world, one)),
    environment: (nameOrId) => createEnvironmentHandle(world, requireEnvironment(world, nameOrId)),
    createEnvironment: (options = {}) =>
      createEnvironmentHandle(world, makeEnvironment(world, loader, options)),
    fetch: calls.fetch,
    close,
    [Symbol.asyncDispose]: close,
  };
};

const makeEnvironment = (world: World, loader: ScenarioLoader, options: EnvironmentOptions): Environment => {
  requireEnvironmentOptions(options);
  const { scenario, from, name, clock, seed, settings } = options;
  return createRuntimeEnvironment(world, {
    ...((scenario !== undefined || seed !== undefined) && { scenario: loader.load(scenario, seed) }),
    from,
    name,
    ...(clock !== undefined && { clock: readClockSetting(clock) }),
    ...(settings && { settings: readSettings(settings) }),
  });
};
