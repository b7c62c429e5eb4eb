/** Options of a mock that runs only while tests run: for `ca-mock exec` and for the setups of test runners. */
import { choice, type OptionValues, text, wholeNumber } from './option.ts';
import { START_OPTIONS } from './options.ts';

/** Options of the reports and checks after a test run. */
const REPORT_OPTIONS = {
  coverage: choice(['full', 'short', 'off'], 'how much to write about coverage at the end', 'short'),
  minCoverage: wholeNumber(0, 100)('N', 'fail if calls covered less than N percent of the contract', '0'),
  pact: text('FILE', 'write a Pact of the calls of the run, for brokers, if it passes', 'none'),
  pactConsumer: {
    ...text('NAME', 'name of the application in the Pact', 'the name in package.json'),
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
