/** Puts the parts of a mock together: scenario and contract become environments, and these a server. Nothing listens yet. */

import { createDirectCall, type DirectCall } from '../control/direct-calls.ts';
import { monotonicNow } from '../core/clock.ts';
import { closeEnvironments, createEnvironments, type Environments } from '../environments/environments.ts';
import { type Contract, loadContract } from '../openapi/load.ts';
import { packageVersion } from '../openapi/package-root.ts';
import { createSurfaces } from '../openapi/surface.ts';
import { mergeState, replaceState } from '../scenario/change.ts';
import { exportEnvironment } from '../scenario/export.ts';
import { createServer, type Server } from '../server.ts';
import { createInProcess, type InProcess } from './in-process.ts';
import { describe, type Log, toLog } from './log.ts';
import { DEFAULTS, type StartOptions } from './options.ts';
import { reloadOnChange } from './reload.ts';
import { createScenarioLoader } from './scenario.ts';

/** The address of a mock that does not listen. */
const IN_PROCESS_URL = 'http://mock.local';

export interface Parts {
  readonly contract: Contract;
  readonly environments: Environments;
  readonly server: Server;
  readonly inProcess: InProcess;
  readonly callControl: DirectCall;
  /** Called for every internal error. */
  readonly onInternalError: (error: unknown) => void;
  /** Ends what would go on by itself: watching files, streams and waits. */
  stop(): void;
}

/** @throws ScenarioError for a scenario that is wrong, naming every fault */
export const assemble = (options: StartOptions): Parts => {
  const { baseUrl, controlToken, host, validateResponses = DEFAULTS.validateResponses } = options;
  const log = toLog(options.log ?? 'pretty');
  const listeners = toListeners(log);
  const contract = loadContract();
  const loader = createScenarioLoader(options);
  const scenario = loader.load();
  const environments = createEnvironments(
    scenario,
    withoutSlash(baseUrl ?? IN_PROCESS_URL),
    createSurfaces(contract),
  );
  const scenarios = { load: loader.load, list: loader.list, exportEnvironment, mergeState, replaceState };
  const shared = { scenarios, version: packageVersion() };
  const server = createServer({
    environments,
    contract,
    validateResponses,
    control: { ...shared, controlToken, host },
    ...listeners,
  });
  const stopWatching = options.watch ? reloadOnChange(environments, loader, scenario.files, log) : undefined;
  const closing = new AbortController();
  return {
    contract,
    environments,
    server,
    onInternalError: listeners.onFault,
    inProcess: createInProcess({
      ...server,
      url: () => environments.baseUrl,
      isOwn: (url) => isOwn(url, environments),
    }),
    callControl: createDirectCall({ ...shared, ...about(environments) }, closing.signal),
    stop: () => {
      stopWatching?.();
      closing.abort();
      closeEnvironments(environments);
      server.close();
    },
  };
};

/** Links begin with the address, so it ends without a slash. */
const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

/** What a direct call is told of the environments it is made in; it names its environment, or means the first. */
const about = (environments: Environments) => {
  const startedAt = monotonicNow();
  return {
    environments,
    uptime: () => (monotonicNow() - startedAt) / 1_000,
  };
};

/** A mock's own addresses: the one that its clients see, that of a mock that does not listen, and hosts (behaviour E2). */
const isOwn = ({ origin, hostname }: URL, { baseUrl }: Environments): boolean =>
  origin === IN_PROCESS_URL || hostname.endsWith('.localhost') || origin === new URL(baseUrl).origin;

/** What the server tells, as entries of the log. */
const toListeners = (log: Log) => ({
  onReplyViolation: ({ method, url }: { method: string; url: string }, error: unknown) =>
    log({ event: 'reply_violation', method, url, message: describe(error) }),
  onFault: (error: unknown) => log({ event: 'fault', message: describe(error, 'stack') }),
});
