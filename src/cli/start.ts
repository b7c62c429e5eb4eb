/** `ca-mock start`: serves the mock until a signal ends the process. */
import { startServer } from '../mock/create.ts';
import type { START_OPTIONS } from '../mock/options.ts';
import type { Process, Run } from './command.ts';
import { createPrinter } from './printer.ts';

export const run: Run<typeof START_OPTIONS> = async ({ values }, process) => {
  const printer = createPrinter(values.log ?? (process.stdout.isTTY ? 'pretty' : 'json'), process);
  const started = await startServer({ ...values, log: printer.log });
  const signal = nextSignal(process);
  printer.ready(started);
  await signal;
  await started.mock.close();
  return 0;
};

/** The first signal shuts the mock down cleanly; a second one ends the process at once. */
const nextSignal = (process: Process): Promise<void> =>
  new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
