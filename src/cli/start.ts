/** `ca-mock start`: serves until a signal ends it. */
import { startMock } from '../index.ts';
import type { START_OPTIONS } from '../mock/options.ts';
import type { Process, Run } from './command.ts';
import { createPrinter } from './printer.ts';

export const run: Run<typeof START_OPTIONS> = async ({ values }, process) => {
  const printer = createPrinter(values.log ?? (process.stdout.isTTY ? 'pretty' : 'json'), process);
  const mock = await startMock({ ...values, log: printer.entry });
  const signal = nextSignal(process);
  printer.ready(mock);
  await signal;
  await mock.close();
  return 0;
};

/** The first signal ends the mock in order; a second one ends the process at once. */
const nextSignal = (process: Process): Promise<void> =>
  new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
