/** Options of a mock that runs only while tests run: for `ca-mock exec` and for the setups of test runners. */
import { choice, type OptionValues, text, toggle, wholeNumber } from './option.ts';
import { START_OPTIONS } from './options.ts';

/** Options of the reports and checks after a test run. */
const REPORT_OPTIONS = {
  coverage: choice(['full', 'short', 'off'], 'how much to write about coverage at the end', 'short'),
  minCoverage: wholeNumber(0, 100)('N', 'fail if calls covered less than N percent of the contract', '0'),
  pact: text('FILE', 'write what the calls of the run relied on, as a Pact, if the run passes', 'none'),
  pactConsumer: {
    ...text('NAME', 'name of the application in the Pact', 'the name in package.json'),
    needs: 'pact',
  },
  pactProvider: {
    ...text('NAME', 'name of the service in the Pact', 'the title of the contract'),
    needs: 'pact',
  },
  pactCheck: {
    ...toggle('compare the run with the Pact instead of writing it; fail if they differ'),
    needs: 'pact',
  },
};

export type ReportOptions = OptionValues<typeof REPORT_OPTIONS>;

export const RUN_OPTIONS = {
  ...REPORT_OPTIONS,
  ...START_OPTIONS,
  port: { ...START_OPTIONS.port, fallback: 'any free port' },
  log: { ...START_OPTIONS.log, words: 'how to write problems to standard error', fallback: 'pretty' },
};
