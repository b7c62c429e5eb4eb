/** Options of the commands other than `start`. Each row defines a flag, its environment variable and its help text. */
import { DEFAULTS, repeatable, text, toggle, token, webAddress } from '../library/option.ts';
import { RUN_OPTIONS, START_OPTIONS } from '../library/options.ts';

export const SCENARIO_OPTIONS = { fixtures: START_OPTIONS.fixtures };

export const LIST_OPTIONS = {
  ...SCENARIO_OPTIONS,
  grpc: toggle('list the gRPC methods that --grpc-descriptors contains, instead of scenarios'),
  grpcDescriptors: START_OPTIONS.grpcDescriptors,
  json: toggle('write the list as JSON'),
};

export const VERIFY_OPTIONS = {
  baseUrl: webAddress('URL', 'base address of the server to verify', 'required'),
  clientId: text('ID', 'id of the client to sign in as', 'required'),
  clientSecret: text(
    'S',
    'secret of the client; set CA_MOCK_CLIENT_SECRET instead to keep it out of the process list',
    'required',
    { isSecret: true },
  ),
  operation: repeatable(text('ID', 'run only the cases of this operation', 'all')),
  write: toggle('also run cases that change data; they clean up after themselves'),
  inferred: toggle("also check behaviour that the API's description does not state"),
  organizationId: text('ID', 'an organization to which members can be added', 'none'),
  userId: text('ID', 'a user outside the organization', 'none', { needs: 'organizationId' }),
  externalId: text('ID', 'the external id of the user in --user-id', 'none', { needs: 'organizationId' }),
  json: toggle('write the report as JSON'),
  junit: text('FILE', 'also write the report as JUnit XML', 'none'),
};

export const EXEC_OPTIONS = {
  journal: text('FILE', 'write the calls as an HTTP Archive (FILE.har)', 'none'),
  ...RUN_OPTIONS,
};

const controlToken = token('T', 'control token of the mock, if it requires one', 'none', { isSecret: true });

export const EXPORT_OPTIONS = {
  url: webAddress('URL', 'address of the mock', DEFAULTS.url),
  environment: text('ENV', 'name or id of the environment', 'the first'),
  relative: toggle('write times relative to now, such as -3d, and leave out the clock'),
  controlToken,
};

export const COVERAGE_OPTIONS = {
  minCoverage: RUN_OPTIONS.minCoverage,
  json: toggle('write the report as JSON'),
  controlToken,
};
