/** `ca-mock start`: serves the mock until a signal ends the process, and prints its address and its log. */
import { styleText } from 'node:util';
import { realNow } from '../engine/core/clock.ts';
import { columns } from '../engine/core/text.ts';
import type { LogEntry } from '../index.ts';
import { type Started, startServer } from '../library/create.ts';
import { formatEntry, type LogOption } from '../library/log.ts';
import type { START_OPTIONS } from '../library/options.ts';
import { warmUp } from '../library/warm.ts';
import type { Process, Run } from './arguments.ts';

export const start: Run<typeof START_OPTIONS> = async ({ values }, process) => {
  const printer = createPrinter(values.log ?? (process.stdout.isTTY ? 'pretty' : 'json'), process);
  const started = await startServer({ ...values, log: printer.log });
  // The first signal shuts the mock down cleanly; a second one ends the process at once.
  const signal = new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  printer.ready(started);
  setTimeout(warmUp, IDLE).unref();
  await signal;
  await started.mock.close();
  return 0;
};

/** Milliseconds after which the mock warms up: right away, it would delay the first answer to a client that waits. */
const IDLE = 1_000;

/** @param style `silent` still writes the address, because with port 0, users have no other way to learn the port */
export const createPrinter = (
  style: 'pretty' | 'json' | 'silent',
  { stdout, stderr }: Pick<Process, 'stdout' | 'stderr'>,
): { ready(started: Started): void; log: LogOption } => {
  const writeJson = (entry: object): void => void stdout.write(`${JSON.stringify(entry)}\n`);
  if (style === 'json')
    return { ready: (started) => readyEntries(started).forEach(writeJson), log: writeJson };
  if (style === 'silent') return { ready: ({ mock }) => void stdout.write(`${mock.url}\n`), log: 'silent' };
  return {
    ready: (started) => void stdout.write(formatReady(started)),
    log: (entry) => {
      const isTrouble = entry.event !== 'request' && entry.event !== 'reloaded';
      const line = stdout.isTTY ? formatForTerminal(entry) : formatEntry(entry);
      (isTrouble ? stderr : stdout).write(`${line}\n`);
    },
  };
};

const formatForTerminal = (entry: LogEntry): string => {
  const time = new Date(realNow()).toTimeString().slice(0, 8);
  const status = entry.event === 'request' ? entry.status : 0;
  const colour = status < 500 ? 'yellow' : 'red';
  const isPlain = process.env.NO_COLOR || status < 400;
  const text = formatEntry(entry);
  return `${time} ${isPlain ? text : styleText(colour, text, { validateStream: false })}`;
};

/** The pages that a person can open: their names in both logs, and their paths. */
const PAGES = [
  ['console', 'Console', '/_mock/'],
  ['reference', 'API reference', '/_mock/docs'],
  ['guide', 'Guide', '/_mock/guide'],
] as const;

/** What `--log pretty` prints when the mock is ready: the mock's address, and a first call to try. */
const formatReady = ({ mock: { url, scenario }, environments }: Started): string => {
  const description = scenario.description && ` (${scenario.description})`;
  const pages = PAGES.map(([, label, path]) => [label, url + path] as const);
  const credentials = environments.map(({ name, client_id, client_secret, access_token }) => [
    name,
    [client_id, client_secret, access_token].map((value) => value || 'none').join(' / '),
  ]);
  return `ca-mock is ready at ${url}

${columns([['Scenario', `${scenario.name}${description}`], ...pages], '  ')}

${columns([['Environment', 'Client id / client secret / access token'], ...credentials], '  ')}

  Try it:
  ${readyMadeCall(url, environments[0])}

`;
};

/** What `--log json` prints when the mock is ready: each object as one line of JSON. */
const readyEntries = ({ mock: { url }, environments }: Started): readonly object[] => [
  { event: 'ready', url },
  ...environments.map(({ name, client_id = '', client_secret = '', access_token = '' }) => ({
    event: 'environment',
    name,
    client_id,
    client_secret,
    access_token,
  })),
  ...PAGES.map(([of, , path]) => ({ event: 'address', of, url: url + path })),
];

const readyMadeCall = (url: string, first: Partial<Started['environments'][number]> = {}): string => {
  const { client_id = '', client_secret = '', access_token } = first;
  const curl = url.startsWith('https:') ? 'curl --insecure' : 'curl';
  return access_token
    ? `${curl} -H 'Authorization: Bearer ${access_token}' ${url}/api/v1/connected_accounts`
    : `${curl} -d grant_type=client_credentials -d client_id=${client_id} -d client_secret=${client_secret} ${url}/oauth/token`;
};
