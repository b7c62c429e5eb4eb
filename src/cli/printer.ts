/** What `ca-mock start` writes while it runs (`--log`). */
import type { LogEntry, Mock } from '../index.ts';
import { formatEntry } from '../mock/log.ts';
import type { Process } from './command.ts';
import { formatReady } from './ready.ts';

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
      return { ready: ({ url }) => writeJson({ event: 'ready', url }), entry: writeJson };
    case 'silent':
      return { ready: ({ url }) => stdout.write(`${url}\n`), entry: () => {} };
    case 'pretty':
      return {
        ready: (mock) => stdout.write(formatReady(mock)),
        entry: (entry) => (isTrouble(entry) ? stderr : stdout).write(`${formatEntry(entry)}\n`),
      };
  }
};

const isTrouble = ({ event }: LogEntry): boolean => event !== 'request' && event !== 'reloaded';
