/** Options of a mock that runs only while tests run: for `ca-mock exec` and for the setups of test runners. */
import { choice, type OptionValues, text, toggle, wholeNumber } from './option.ts';
import { START_OPTIONS } from './options.ts';

/** Options of the reports and checks after a test run. Editors show the comments below to callers of `setupMock`. */
const REPORT_OPTIONS = {
  /** How much to write about the coverage of the contract when the run ends. Default: `short`, which is five lines. */
  coverage: choice(['full', 'short', 'off'], 'how much to write about coverage at the end', 'short'),
  /** The run fails if its calls cover less than this percentage of the contract. Default: 0. */
  minCoverage: wholeNumber(0, 100)(
    'N',
    'exit with 1 if calls covered less than N percent of the contract',
    '0',
  ),
  /** A file to write when a run passes. It lists the parts of the contract that the run used. Default: none. */
  used: text(
    'FILE',
    'write a file that lists the operations, parameters and body members that the run used, if it passes',
    'none',
  ),
  /** A Pact file to write when a run passes. Default: none. */
  pact: text('FILE', 'write a Pact of the calls of the run, for brokers, if it passes', 'none'),
  /** The name of the application in the Pact. Default: the name in `package.json`. */
  pactConsumer: {
    ...text('NAME', 'name of the application in the Pact', 'the name in package.json'),
    needs: 'pact',
  },
  /** Compare the run with the file in `used`, instead of writing the file. A difference fails the run. Default: no. */
  usedCheck: {
    ...toggle(
      'check the run against the --used file instead of writing the file; exit with 1 if they differ',
    ),
    needs: 'used',
  },
};

export type ReportOptions = OptionValues<typeof REPORT_OPTIONS>;

export const RUN_OPTIONS = {
  ...REPORT_OPTIONS,
  ...START_OPTIONS,
  port: { ...START_OPTIONS.port, fallback: 'any free port' },
  log: { ...START_OPTIONS.log, words: 'how to write problems to standard error', fallback: 'pretty' },
};
