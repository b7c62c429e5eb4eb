/**
 * Puts the parts of a mock together: scenario and contract become environments, and environments become a server.
 * Nothing listens yet.
 */

import { monotonicNow } from '../core/clock.ts';
import { maskUrl } from '../core/secrets.ts';
import { Environments } from '../environments/environments.ts';
import { createInProcess } from '../http/in-process.ts';
import { loadContract } from '../openapi/load.ts';
import { createSurfaces } from '../openapi/members.ts';
import { packageVersion } from '../openapi/package-root.ts';
import { createApp } from './app.ts';
import { createFetch } from './fetch.ts';
import { describe, toLog } from './log.ts';
import { DEFAULTS, type StartOptions } from './options.ts';
import { SaveFolder } from './saved.ts';
import { createScenarioLoader, reloadOnChange } from './scenario.ts';

/** The address of a mock that does not listen. */
export const IN_PROCESS_HOST = 'mock.local';
const IN_PROCESS_URL = `http://${IN_PROCESS_HOST}`;

export type Parts = ReturnType<typeof assemble>;

/**
 * Makes environments and server from the options.
 * @throws ScenarioError for a scenario with problems; names all of them
 */
export const assemble = (options: StartOptions) => {
  const { baseUrl = IN_PROCESS_URL, controlToken, host, saveDir: folder } = options;
  const startedAt = monotonicNow();
  const log = toLog(options.log ?? 'pretty');
  const onInternalError = (error: unknown): void =>
    log({ event: 'fault', message: describe(error, 'stack') });
  const contract = loadContract();
  const loader = createScenarioLoader(options);
  const scenario = loader.load();
  for (const message of scenario.warnings) log({ event: 'warning', message });
  const environments = new Environments(
    scenario,
    baseUrl.replace(/\/+$/, ''), // links continue the address with a path
    createSurfaces(contract),
  );
  const saved = folder === undefined ? undefined : new SaveFolder(folder, environments, loader, log);
  const controlled = {
    environments,
    loadScenario: loader.load,
    listScenarios: loader.list,
    version: packageVersion(),
    uptime: () => (monotonicNow() - startedAt) / 1_000,
  };
  const server = createApp({
    environments,
    contract,
    validateResponses: options.validateResponses ?? DEFAULTS.validateResponses,
    control: { controlled, controlToken, host },
    // Only a log function gets entries about single requests.
    logCall: typeof options.log === 'function' ? log : undefined,
    onReplyViolation: ({ method, url }, error) =>
      log({ event: 'reply_violation', method, url: maskUrl(url), message: describe(error) }),
    onInternalError,
  });
  const stopWatching = options.watch ? reloadOnChange(environments, loader, scenario.files, log) : undefined;
  const inProcess = createInProcess(server.app, server.messages);
  return {
    contract,
    environments,
    server,
    log,
    onInternalError,
    inProcess,
    appFetch: createFetch(
      inProcess,
      () => environments.baseUrl,
      (url) => isOwn(url, environments),
    ),
    /** Saves the environments; call it after the last call. */
    save: async (): Promise<void> => saved?.close(),
    /** Ends file watching, streams and waiting calls. */
    stop: (): void => {
      stopWatching?.();
      environments.close();
      server.close();
    },
  };
};

/**
 * Whether an address belongs to the mock: its base URL, `http://mock.local`, or a host of an environment (behaviour
 * E2).
 */
const isOwn = ({ origin, hostname }: URL, { baseUrl }: Environments): boolean =>
  origin === IN_PROCESS_URL || hostname.endsWith('.localhost') || origin === new URL(baseUrl).origin;
