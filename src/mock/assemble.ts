/**
 * Puts the parts of a mock together: scenario and contract become environments, and environments become a server.
 * Nothing listens yet.
 */

import { monotonicNow } from '../core/clock.ts';
import { maskUrl } from '../core/secrets.ts';
import { Environments } from '../environments/environments.ts';
import { createInProcess, type InProcess } from '../http/in-process.ts';
import { type Contract, loadContract } from '../openapi/load.ts';
import { createSurfaces } from '../openapi/members.ts';
import { packageVersion } from '../openapi/package-root.ts';
import { type App, createApp } from './app.ts';
import { type AppFetch, createFetch } from './fetch.ts';
import { describe, type Log, toLog } from './log.ts';
import { DEFAULTS, type StartOptions } from './options.ts';
import { reloadOnChange } from './reload.ts';
import { keepSaved } from './saved.ts';
import { createScenarioLoader } from './scenario.ts';

/** The address of a mock that does not listen. */
export const IN_PROCESS_HOST = 'mock.local';
const IN_PROCESS_URL = `http://${IN_PROCESS_HOST}`;

export interface Parts {
  readonly contract: Contract;
  readonly environments: Environments;
  readonly server: App;
  readonly inProcess: InProcess;
  readonly appFetch: AppFetch;
  readonly log: Log;
  /** Called for every internal error. */
  readonly onInternalError: (error: unknown) => void;
  /** Ends file watching, streams and waiting calls. */
  stop(): void;
  /** Saves the environments; call it after the last call. */
  save(): Promise<void>;
}

/**
 * Makes environments and server from the options.
 * @throws ScenarioError for a scenario with problems; names all of them
 */
export const assemble = (options: StartOptions): Parts => {
  const { baseUrl, controlToken, host, validateResponses = DEFAULTS.validateResponses } = options;
  const log = toLog(options.log ?? 'pretty');
  const listeners = toListeners(log);
  const contract = loadContract();
  const loader = createScenarioLoader(options);
  const scenario = loader.load();
  for (const message of scenario.warnings) log({ event: 'warning', message });
  const environments = new Environments(
    scenario,
    withoutSlash(baseUrl ?? IN_PROCESS_URL),
    createSurfaces(contract),
  );
  const { saveDir: folder } = options;
  const endSaving = folder === undefined ? undefined : keepSaved({ folder, environments, loader, log });
  const controlled = {
    environments,
    loadScenario: loader.load,
    listScenarios: loader.list,
    version: packageVersion(),
    uptime: uptime(),
  };
  const server = createApp({
    environments,
    contract,
    validateResponses,
    control: { controlled, controlToken, host },
    // Only a log function gets entries about single requests.
    logCall: typeof options.log === 'function' ? log : undefined,
    ...listeners,
  });
  const stopWatching = options.watch ? reloadOnChange(environments, loader, scenario.files, log) : undefined;
  const inProcess = createInProcess(server.app, server.messages);
  return {
    contract,
    environments,
    server,
    log,
    onInternalError: listeners.onInternalError,
    inProcess,
    appFetch: createFetch({
      inProcess,
      url: () => environments.baseUrl,
      isOwn: (url) => isOwn(url, environments),
    }),
    save: async () => endSaving?.(),
    stop: () => {
      stopWatching?.();
      environments.close();
      server.close();
    },
  };
};

/** Removes the slash at the end of an address, since links continue the address. */
const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

/** Counts real seconds from now. */
const uptime = (): (() => number) => {
  const startedAt = monotonicNow();
  return () => (monotonicNow() - startedAt) / 1_000;
};

/**
 * Whether an address belongs to the mock: its base URL, `http://mock.local`, or a host of an environment (behaviour
 * E2).
 */
const isOwn = ({ origin, hostname }: URL, { baseUrl }: Environments): boolean =>
  origin === IN_PROCESS_URL || hostname.endsWith('.localhost') || origin === new URL(baseUrl).origin;

/** Listeners that log the events of the server. */
const toListeners = (log: Log) => ({
  onReplyViolation: ({ method, url }: { method: string; url: string }, error: unknown) =>
    log({ event: 'reply_violation', method, url: maskUrl(url), message: describe(error) }),
  onInternalError: (error: unknown) => log({ event: 'fault', message: describe(error, 'stack') }),
});
