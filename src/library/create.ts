/** Creates mocks in this process, with or without a port. */
import { text as readText } from 'node:stream/consumers';
import { packageVersion } from '../engine/contract/package-root.ts';
import { presentEnvironment } from '../engine/control/handlers/environments.ts';
import { monotonicNow } from '../engine/core/clock.ts';
import { maskUrl } from '../engine/core/secrets.ts';
import { Environments } from '../engine/environments/all-environments.ts';
import { createInProcess, IN_PROCESS_HOST } from '../engine/http/in-process.ts';
import { type Listener, listen } from '../engine/http/listener.ts';
import { withHttp2 } from '../grpc/share-port.ts';
import { service } from '../service/index.ts';
import { createApp } from './app.ts';
import { createFetch } from './fetch.ts';
import { describe, type Log, toLog } from './log.ts';
import { type Mock, type MockApp, MockClient } from './mock.ts';
import type { EnvironmentSummary } from './mock-environment.ts';
import { DEFAULTS } from './option.ts';
import {
  MOCK_OPTIONS,
  type MockOptions,
  requireOptions,
  requireStartOptions,
  type StartOptions,
} from './options.ts';
import { openSaveFile, readSaved, replacedBy, type SaveFile, saveChanges } from './save-file.ts';
import { createScenarioLoader, reloadOnChange, type ScenarioLoader } from './scenario-loader.ts';

/**
 * Creates a mock without a port, for `mock.fetch` or `mock.app`.
 * @throws ScenarioError that lists all problems of the scenario; TypeError for a wrong option
 */
export const createMock = (options: MockOptions = {}): Mock => {
  requireOptions(options, MOCK_OPTIONS);
  return toMock(assemble(options));
};

/**
 * Starts a mock that listens on a port. Resolves once the mock answers calls.
 * @throws ScenarioError that lists all problems of the scenario; TypeError for a wrong option; Error if the mock cannot
 * listen on the address, or if other machines can reach the address and no control token is set
 */
export const startMock = async (options: StartOptions = {}): Promise<Mock> =>
  (await startServer(options)).mock;

export interface Started {
  readonly mock: Mock;
  /** Getting these through the control plane would delay the start. */
  readonly environments: readonly EnvironmentSummary[];
}

export const startServer = async (options: StartOptions): Promise<Started> => {
  requireStartOptions(options);
  const parts = assemble(options);
  const listener = await open(parts, options).catch((error: unknown) => {
    parts.stop();
    parts.save();
    throw error;
  });
  if (options.baseUrl === undefined) parts.environments.baseUrl = listener.url;
  const environments = Array.from(parts.environments.byId.values(), presentEnvironment);
  return { mock: toMock(parts, listener), environments };
};

type Parts = ReturnType<typeof assembleWith>;

const assemble = (options: StartOptions): Parts => {
  const file = options.save === undefined ? undefined : openSaveFile(options.save);
  try {
    return assembleWith(options, file);
  } catch (error) {
    file?.unlock();
    throw error;
  }
};

const assembleWith = (options: StartOptions, file: SaveFile | undefined) => {
  const { baseUrl = `http://${IN_PROCESS_HOST}` } = options;
  const log = toLog(options.log ?? 'pretty');
  const saved = file && readSaved(file);
  const loader = createScenarioLoader(options, saved);
  const scenario = loader.loadScenario();
  for (const message of [...scenario.warnings, ...replacedBy(saved, options)])
    log({ event: 'warning', message });
  const environments = new Environments(service, scenario, baseUrl.replace(/\/+$/, '')); // links append a path
  const stopWatching = options.watch && reloadOnChange(environments, loader, scenario.files, log);
  return {
    ...openApp(options, loader, environments, log),
    environments,
    log,
    /** Must run after the last call to the mock. */
    save: file ? saveChanges(file, environments, log) : () => {},
    /** Ends all event streams and all calls that wait for an event, too. */
    stop: (): void => {
      if (stopWatching) stopWatching();
      environments.close();
    },
  };
};

const openApp = (options: StartOptions, loader: ScenarioLoader, environments: Environments, log: Log) => {
  const { controlToken, validateResponses = DEFAULTS.validateResponses } = options;
  const startedAt = monotonicNow();
  const onInternalError = (error: unknown): void =>
    log({ event: 'fault', message: `The mock failed: ${describe(error, 'stack')}` });
  const uptime = (): number => (monotonicNow() - startedAt) / 1_000;
  const { app, messages } = createApp({
    environments,
    contract: service.contract,
    controlToken,
    onInternalError,
    validateResponses,
    controlled: { ...loader, environments, version: packageVersion(), uptime },
    logCall: typeof options.log === 'function' ? log : undefined,
    onReplyViolation: ({ method, url }, error) => {
      const message = `The reply to ${method} ${maskUrl(url)} broke the contract: ${describe(error)}`;
      log({ event: 'reply_violation', message });
    },
  });
  return { app, messages, controlToken, onInternalError, inProcess: createInProcess(app, messages) };
};

const open = async (parts: Parts, options: StartOptions): Promise<Listener> => {
  const { port = DEFAULTS.port, host = DEFAULTS.host, tlsCert, tlsKey, grpcDescriptors = [] } = options;
  const { app, messages } = parts;
  const grpc = grpcDescriptors.length > 0 ? await openGrpc(parts, grpcDescriptors) : undefined;
  return listen(grpc ? grpc.before(app) : app, messages, {
    port,
    host,
    // If there are no descriptors, the mock answers a gRPC call with an error that says so.
    share: withHttp2(async () => (grpc ?? (await openGrpc(parts, []))).http2),
    ...(tlsCert !== undefined && tlsKey !== undefined && { tls: { cert: tlsCert, key: tlsKey } }),
  });
};

/** Loads the gRPC code on demand, because it is large. @throws Error for unreadable descriptors */
const openGrpc = async (
  { inProcess: { ask }, onInternalError, log }: Parts,
  descriptors: readonly string[],
) => {
  const { createGrpc } = await import('../grpc/serve.ts');
  let isSaid = false; // SDKs keep retrying
  return createGrpc({
    contract: service.contract,
    ask,
    descriptors,
    onInternalError,
    onUnserved: (message, address) => {
      if (!isSaid) log({ event: 'grpc_unserved', message: `A client at ${address} uses gRPC. ${message}` });
      isSaid = true;
    },
    onLost: (message) => log({ event: 'warning', message }),
  });
};

const toMock = (parts: Parts, listener?: Listener): Mock => {
  const { app, environments, inProcess, controlToken } = parts;
  const { name, description } = environments.scenario;
  const { fetch, close: closeFetch } = createFetch(inProcess, environments);
  const client = new MockClient({
    url: listener?.url ?? environments.baseUrl,
    controlToken,
    fetch,
    send: async (url, message) => {
      const length = String(Buffer.byteLength(message.body ?? ''));
      const headers = { host: IN_PROCESS_HOST, 'content-length': length, ...message.headers };
      const { status, body } = await inProcess.ask({ ...message, headers, url });
      return { status, text: await readText(body) };
    },
    end: async () => {
      parts.stop();
      await Promise.all([closeFetch(), listener?.close()]);
      parts.save();
    },
  });
  return Object.assign(client, {
    scenario: { name, description },
    app: app as unknown as MockApp, // the cast is safe: only Node and Express call the app, with complete request objects
  });
};
