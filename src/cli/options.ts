/** The options of the commands beside `start` (`mock/options.ts`), a row each: flag, variable and help follow from it. */
import { secret, text, toggle, token, webAddress, wholeNumber } from '../mock/option.ts';
import { DEFAULTS, START_OPTIONS } from '../mock/options.ts';

export const SCENARIO_OPTIONS = { fixtures: START_OPTIONS.fixtures };

export const LIST_OPTIONS = {
  ...SCENARIO_OPTIONS,
  grpc: toggle({ words: 'list the gRPC methods of --grpc-descriptors instead', fallback: 'off' }),
  grpcDescriptors: START_OPTIONS.grpcDescriptors,
  json: toggle({ words: 'write the list as JSON', fallback: 'off' }),
};

export const VERIFY_OPTIONS = {
  baseUrl: webAddress({ placeholder: 'URL', words: 'server to verify', fallback: 'required' }),
  clientId: text({ placeholder: 'ID', words: 'client to sign in as', fallback: 'required' }),
  clientSecret: secret({
    placeholder: 'S',
    words: 'its secret; CA_MOCK_CLIENT_SECRET keeps it out of the process list',
    fallback: 'required',
  }),
  write: toggle({
    words: 'also run cases that change data; they clean up after themselves',
    fallback: 'off',
  }),
  inferred: toggle({
    words: 'let cases fail that rest on what the description leaves open',
    fallback: 'off',
  }),
  organizationId: text({
    placeholder: 'ID',
    words: 'an organization that members may be added to',
    fallback: 'none',
  }),
  userId: text({
    placeholder: 'ID',
    words: 'a user who is no member of that organization',
    fallback: 'none',
  }),
  externalId: text({ placeholder: 'ID', words: 'the external id of that user', fallback: 'none' }),
  connector: text({
    placeholder: 'NAME',
    words: 'a connector to prefer over others of its type',
    fallback: 'none',
  }),
  data: text({
    placeholder: 'FILE',
    words: 'these four from a file: organization_id, user_id, external_id, connector',
    fallback: 'none',
  }),
  controlToken: token({
    placeholder: 'T',
    words: 'token of the control plane, if the server is a mock that asks for one',
    fallback: 'none',
  }),
  timeout: wholeNumber(1, 9_999, {
    placeholder: 'SECONDS',
    words: 'how long a reply may take',
    fallback: '10',
  }),
  json: toggle({ words: 'write the report as JSON', fallback: 'off' }),
  junit: text({ placeholder: 'FILE', words: 'write the report as JUnit XML too', fallback: 'none' }),
  record: text({
    placeholder: 'FILE',
    words: 'write statuses and shapes of all replies',
    fallback: 'none',
  }),
  compare: text({
    placeholder: 'FILE',
    words: 'compare statuses and shapes with those of a recording',
    fallback: 'none',
  }),
  ledger: text({
    placeholder: 'FILE',
    words: 'known failures and differences; new ones and gone ones fail',
    fallback: 'none',
  }),
};

const minCoverage = wholeNumber(0, 100, {
  placeholder: 'N',
  words: 'end with 1 if less than N percent of the contract were called',
  fallback: '0',
});

/** Of a mock for the time that tests run. */
export const RUN_OPTIONS = {
  minCoverage,
  ...START_OPTIONS,
  port: { ...START_OPTIONS.port, fallback: 'any free one' },
  log: { ...START_OPTIONS.log, words: 'how problems are written to standard error', fallback: 'pretty' },
};

export const EXEC_OPTIONS = {
  journal: text({
    placeholder: 'FILE',
    words: 'write the calls as an HTTP Archive (FILE.har)',
    fallback: 'none',
  }),
  ...RUN_OPTIONS,
};

/** Of commands that ask a mock which runs already. */
const controlToken = token({
  placeholder: 'T',
  words: 'its control token, if it asks for one',
  fallback: 'none',
});

export const EXPORT_OPTIONS = {
  url: webAddress({ placeholder: 'URL', words: 'address of the mock', fallback: DEFAULTS.url }),
  environment: text({
    placeholder: 'ENV',
    words: 'name or id of the environment',
    fallback: 'the first',
  }),
  controlToken,
};

export const COVERAGE_OPTIONS = {
  merge: toggle({ words: 'count several mocks as one', fallback: 'off: a table for each' }),
  minCoverage,
  json: toggle({ words: 'write the report as JSON', fallback: 'off' }),
  controlToken,
};
