/** What `ca-mock start` writes while it runs (`--log`). */
import { styleText } from 'node:util';
import type { LogEntry, Mock } from '../index.ts';
import { formatEntry } from '../mock/log.ts';
import type { Process } from './command.ts';
import { formatReady, readyEntries } from './ready.ts';

export interface Printer {
  /** Says where the mock is; to be called when the first call will be answered. */
  ready(mock: Mock): void;
  entry(entry: LogEntry): void;
}

type Style = 'pretty' | 'json' | 'silent';

/** @param style `silent` leaves the address alone, since nobody else knows it when the port was 0 */
export const createPrinter = (
  style: Style,
  { stdout, stderr }: Pick<Process, 'stdout' | 'stderr'>,
): Printer => {
  const writeJson = (entry: object): void => {
    stdout.write(`${JSON.stringify(entry)}\n`);
  };
  switch (style) {
    case 'json':
      return { ready: (mock) => readyEntries(mock).forEach(writeJson), entry: writeJson };
    case 'silent':
      return { ready: ({ url }) => stdout.write(`${url}\n`), entry: () => {} };
    case 'pretty':
      return {
        ready: (mock) => stdout.write(formatReady(mock)),
        entry: (entry) =>
          (isTrouble(entry) ? stderr : stdout).write(
            `${stdout.isTTY ? inColour(entry) : formatEntry(entry)}\n`,
          ),
      };
  }
};

/** Refused calls in yellow, failed ones in red. */
const inColour = (entry: LogEntry): string => {
  const status = entry.event === 'request' ? entry.status : 0;
  if (process.env.NO_COLOR || status < 400) return formatEntry(entry);
  return styleText(status < 500 ? 'yellow' : 'red', formatEntry(entry), { validateStream: false });
};

const isTrouble = ({ event }: LogEntry): boolean => event !== 'request' && event !== 'reloaded';
