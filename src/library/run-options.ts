/** Options of a mock that runs only while tests run: for `ca-mock exec` and for the setups of test runners. */
import { didYouMean } from '../engine/core/text.ts';
import {
  choice,
  type OptionValues,
  text,
  toggle,
  type Variables,
  variableName,
  wholeNumber,
} from './option.ts';
import { START_OPTIONS } from './options.ts';

const NEEDS_PACT = { needs: 'pact' };

/** Options of the reports and checks after a test run. */
const REPORT_OPTIONS = {
  coverage: choice(['full', 'short', 'off'], 'how much to write about coverage at the end', 'short'),
  minCoverage: wholeNumber(0, 100)('N', 'fail if calls covered less than N percent of the contract', '0'),
  pact: text('FILE', 'write what the calls of the run relied on, as a Pact, if the run passes', 'none'),
  pactConsumer: text('NAME', 'name of the application in the Pact', 'the name in package.json', NEEDS_PACT),
  pactProvider: text('NAME', 'name of the service in the Pact', 'the title of the contract', NEEDS_PACT),
  pactCheck: {
    ...toggle('compare the run with the Pact instead of writing it; fail if they differ'),
    ...NEEDS_PACT,
  },
};

export type ReportOptions = OptionValues<typeof REPORT_OPTIONS>;

export const RUN_OPTIONS = {
  ...REPORT_OPTIONS,
  ...START_OPTIONS,
  port: { ...START_OPTIONS.port, fallback: 'any free port' },
  log: { ...START_OPTIONS.log, words: 'how to write problems to standard error', fallback: 'pretty' },
};

/** Variables of no option of a run: what it exports, and what only runners or other commands read. */
const OTHERS =
  'URL CLIENT_ID CLIENT_SECRET ACCESS_TOKEN KEEP CONNECTOR ENVIRONMENT EXTERNAL_ID GRPC INFERRED JOURNAL JSON ' +
  'JUNIT OPERATION ORGANIZATION_ID RELATIVE TIMEOUT USER_ID WRITE';

/** What container platforms set for a service with the name `ca-mock`. */
const OF_PLATFORM = /^CA_MOCK_(?:PORT_\d|SERVICE_(?:HOST$|PORT)|NAME$|ENV_)/;

/** A sentence for each `CA_MOCK_` variable that nothing reads, with the nearest name (behaviour N1). */
export const unknownVariables = (variables: Variables): readonly string[] => {
  const others = OTHERS.split(' ').map((name) => `CA_MOCK_${name}`);
  const known = [...Object.keys(RUN_OPTIONS).map(variableName), ...others];
  return Object.keys(variables)
    .filter((name) => name.startsWith('CA_MOCK_') && !known.includes(name) && !OF_PLATFORM.test(name))
    .map((name) => `Nothing reads the variable ${name}.${didYouMean(name, known)}`);
};
