/** Walks FLOW.md with @grpc/grpc-js, which reads the .proto files when it starts. */
import assert from 'node:assert/strict';
import { credentials, loadPackageDefinition, Metadata, status } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const { MOCK_URL, MOCK_ENVIRONMENT, MOCK_CLIENT_ID, MOCK_CLIENT_SECRET, PROTOS } = process.env;
const { protocol, host } = new URL(MOCK_URL);
const IDENTIFIER = 'Flow@acme.test';
const PAIR = { connector: 'mail', identifier: IDENTIFIER };
const RETRY = {
  ...{ maxAttempts: 5, initialBackoff: '0.02s', maxBackoff: '0.1s', backoffMultiplier: 2 },
  retryableStatusCodes: ['RESOURCE_EXHAUSTED', 'INTERNAL', 'DEADLINE_EXCEEDED', 'UNAVAILABLE'],
};
const OPTIONS = {
  'grpc.keepalive_time_ms': 500,
  'grpc.keepalive_permit_without_calls': 1,
  'grpc.max_receive_message_length': -1,
  'grpc.service_config': JSON.stringify({ methodConfig: [{ name: [{}], retryPolicy: RETRY }] }),
};

const load = (files, includeDirs) =>
  loadSync(files, { keepCase: true, longs: Number, enums: String, arrays: true, includeDirs });

const channel = protocol === 'https:' ? credentials.createSsl() : credentials.createInsecure();
const connect = (Client, options = OPTIONS) => new Client(host, channel, options);
const types = load(['example/accounts/v1/accounts.proto', 'example/accounts/v1/errors.proto'], [PROTOS]);
const { v1 } = loadPackageDefinition(types).example.accounts;
const accounts = connect(v1.ConnectedAccounts);
const connections = connect(v1.Connections);

const done = (step) => console.log(`ok ${step}`);
const metadata = new Metadata();
metadata.set('authorization', 'Bearer none');

const call = (client, method, message, options = {}) =>
  new Promise((resolve, reject) => {
    client[method](message, metadata, options, (error, reply) => (error ? reject(error) : resolve(reply)));
  });

const Status = load(['status.proto'], [import.meta.dirname])['google.rpc.Status'];
const ErrorInfo = types['example.accounts.v1.errors.ErrorInfo'];

/** Requires that a call fails with this code. Returns the details of the error. */
const fails = async (code, ...given) => {
  const error = await call(...given).then(
    () => assert.fail(`no ${status[code]}`),
    (one) => one,
  );
  assert.equal(status[error.code], status[code], error.details);
  const [packed] = error.metadata.get('grpc-status-details-bin');
  if (!packed) return undefined;
  const [{ type_url, value }] = Status.deserialize(packed).details;
  assert.equal(type_url, 'type.googleapis.com/example.accounts.v1.errors.ErrorInfo');
  return ErrorInfo.deserialize(value);
};

const own = `${MOCK_URL}/_mock/environments/${MOCK_ENVIRONMENT}`;

const addFault = async (fault) => {
  const times = Array.isArray(fault.status) ? {} : { times: 1 }; // each status of a list is used once
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ ...times, ...fault });
  assert.equal((await fetch(`${own}/faults`, { method: 'POST', headers, body })).status, 201);
};

/** The statuses of the last calls of an operation. */
const lastStatuses = async (operation, count) => {
  const { requests } = await (await fetch(`${own}/requests?operation=${operation}`)).json();
  return requests.slice(-count).map((one) => one.status);
};

const toStruct = (object) => {
  const toValue = (value) => (typeof value === 'number' ? { numberValue: value } : { stringValue: value });
  return {
    fields: Object.fromEntries(Object.entries(object).map(([name, value]) => [name, toValue(value)])),
  };
};

const signIn = async () => {
  const tokens = connect(v1.Tokens);
  const issued = await call(tokens, 'IssueToken', {
    grant_type: 'client_credentials',
    client_id: MOCK_CLIENT_ID,
    client_secret: MOCK_CLIENT_SECRET,
  });
  tokens.close();
  assert.deepEqual([issued.token_type, issued.expires_in], ['Bearer', 86_400]);
  done('token');
  const refused = await fails(status.UNAUTHENTICATED, connections, 'ListConnections', {});
  assert.equal(refused.error_code, 'UNAUTHENTICATED');
  metadata.set('authorization', `Bearer ${issued.access_token}`);
  done('unauthenticated');
};

const keepAccount = async () => {
  const { connections: all } = await call(connections, 'ListConnections', {});
  assert.equal(all.find((one) => one.key_id === 'mail').type, 'TYPE_OAUTH');
  done('connections');
  const oauth_token = { access_token: 'flow-access', refresh_token: 'flow-refresh', scopes: ['mail.read'] };
  const wanted = {
    ...PAIR,
    connected_account: { api_config: toStruct({ first: 1 }), authorization_details: { oauth_token } },
  };
  const { connected_account } = await call(accounts, 'CreateConnectedAccount', wanted);
  assert.equal(connected_account.status, 'ACTIVE');
  assert.equal(connected_account.authorization_type, 'AUTHORIZATION_TYPE_OAUTH');
  assert.match(connected_account.id, /^ca_/);
  done('create');
  await fails(status.ALREADY_EXISTS, accounts, 'CreateConnectedAccount', wanted);
  done('conflict');
  const detail = await fails(status.INVALID_ARGUMENT, accounts, 'ListConnectedAccounts', { page_size: 101 });
  assert.equal(detail.validation_error_info.field_violations.map(({ field }) => field).join(), 'page_size');
  done('invalid');
  const updated = await call(accounts, 'UpdateConnectedAccount', withConfig({ second: 2 }));
  const { fields } = updated.connected_account.api_config;
  assert.deepEqual([fields.first.numberValue, fields.second.numberValue], [1, 2]);
  done('update');
  return connected_account.id;
};

const withConfig = (config) => ({ ...PAIR, connected_account: { api_config: toStruct(config) } });

const readPages = async () => {
  const seen = new Set();
  let page = { next_page_token: '' };
  do {
    page = await call(accounts, 'ListConnectedAccounts', { page_size: 5, page_token: page.next_page_token });
    for (const { id } of page.connected_accounts) seen.add(id);
  } while (page.next_page_token); // absent on the last page, since messages leave out empty texts
  assert.equal(seen.size, page.total_size);
  done('pages');
};

const survive = async (id) => {
  const operation = 'getConnectedAccountDetails';
  const read = () => call(accounts, 'GetConnectedAccountDetails', PAIR);
  const requireAnswer = async () => assert.equal((await read()).connected_account.id, id);
  for (const code of [429, 500, 504]) await addFault({ operation, status: code });
  await requireAnswer();
  done('retries');
  await addFault({ operation, status: [503, 503, 200] });
  await requireAnswer();
  assert.deepEqual(await lastStatuses(operation, 3), [503, 503, 200]);
  done('unavailable');
  await addFault({ operation, delay_ms: 60_000 });
  const options = { deadline: Date.now() + 300 };
  await fails(status.DEADLINE_EXCEEDED, accounts, 'GetConnectedAccountDetails', PAIR, options);
  await requireAnswer();
  done('deadline');
  // Aborts as many attempts as the retry policy allows.
  await addFault({ operation, abort: true, times: 5 });
  await assert.rejects(read, { code: status.UNAVAILABLE });
  await addFault({ operation, abort: true });
  await requireAnswer();
  done('abort');
  await addFault({ operation, delay_ms: 60_000 });
  await assert.rejects(
    new Promise((_resolve, reject) => {
      const given = accounts.GetConnectedAccountDetails(PAIR, metadata, (error) => reject(error));
      setTimeout(() => given.cancel(), 200);
    }),
    { code: status.CANCELLED },
  );
  await requireAnswer();
  done('cancel');
};

const strain = async () => {
  const created = await Promise.all(
    Array.from({ length: 100 }, (_, nth) =>
      call(accounts, 'CreateConnectedAccount', { connector: 'mail', identifier: `many-${nth}@acme.test` }),
    ),
  );
  assert.equal(new Set(created.map(({ connected_account: { id } }) => id)).size, 100);
  done('at-once');
  const text = 'large '.repeat(100_000);
  const packing = connect(v1.ConnectedAccounts, { ...OPTIONS, 'grpc.default_compression_algorithm': 2 });
  const { connected_account } = await call(packing, 'UpdateConnectedAccount', withConfig({ text }));
  packing.close();
  assert.equal(connected_account.api_config.fields.text.stringValue, text);
  done('gzip');
  const larger = withConfig({ text: text + text });
  const detail = await fails(status.INVALID_ARGUMENT, accounts, 'UpdateConnectedAccount', larger);
  assert.equal(detail.error_code, 'PAYLOAD_TOO_LARGE');
  done('too-large');
};

await signIn();
const id = await keepAccount();
await readPages();
await survive(id);
await strain();
await call(accounts, 'DeleteConnectedAccount', PAIR);
await fails(status.NOT_FOUND, accounts, 'GetConnectedAccountDetails', PAIR);
done('delete');
for (const client of [accounts, connections]) client.close();
