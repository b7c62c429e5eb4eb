/**
 * Calls operations as an application does through its SDK, over a real connection. `conformance/grpc.long.ts` calls
 * all of them.
 */

import type { JsonObject } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { beforeEach, expect, test } from '@jest/globals';
import type { LogEntry } from '#mock';
import { callsOver, DESCRIPTORS, detailOf, startGrpc, transports } from './support.ts';

const { mock, call, fail } = await startGrpc();
const env = await mock.environment();
beforeEach(() => env.reset({ journal: true }));

test('wrappers, repeated fields and fields that may be absent become query parameters, and 64-bit numbers are read', async () => {
  const list = async (message: JsonObject) =>
    (await call('ConnectedAccounts/ListConnectedAccounts', message)).body.total_size;
  expect(await list({ connectionNames: ['crm', 'helpdesk'] })).toBe('2');
  expect(await list({ connector: 'crm', organizationId: '' })).toBe('1');
  const all = await call('Connections/ListConnections', { include: 'all' });
  expect(all.body.connections).toHaveLength(17);
});

test("replies have the contract's values and members, even if the descriptors use a vendor name or prefix", async () => {
  const { body } = await call('ConnectedAccounts/CreateConnectedAccount', {
    connector: 'workspace',
    identifier: 'bot@acme.test',
    connectedAccount: { authorizationDetails: { contosoDwd: { subject: 'bot@acme.test' } } },
  });
  expect(body.connected_account).toMatchObject({
    authorization_type: 'AUTHORIZATION_TYPE_CONTOSO_DWD',
    status: 'ACTIVE',
    authorization_details: { contoso_dwd: { subject: 'bot@acme.test', access_token: expect.any(String) } },
  });
  const { body: list } = await call('Connections/ListConnections', { include: 'all' });
  const types = (list.connections as { type: string }[]).map(({ type }) => type);
  expect(types).toEqual(
    expect.arrayContaining(['TYPE_NORTHWIND_OAUTH1', 'TYPE_CONTOSO_DWD', 'TYPE_NO_AUTH']),
  );
});

const told: LogEntry[] = [];
const plain = await startGrpc({ grpcDescriptors: [DESCRIPTORS], log: (entry) => void told.push(entry) });

test('names that match nothing are reported once at the start, and in the journal of the call that lost a value', async () => {
  const warnings = told.filter(({ event }) => event === 'warning');
  expect(warnings).toMatchObject([
    { message: expect.stringMatching(/AuthorizationDetails.contoso_dwd.* are lost/) },
  ]);
  expect(warnings).toMatchObject([{ message: expect.stringContaining('TYPE_CONTOSO_DWD') }]);
  const own = await plain.mock.environment();
  const lost = async (name: string, message: JsonObject) => {
    await plain.call(name, message).catch(() => undefined);
    return (await own.requests()).at(-1)?.warnings.join() ?? '';
  };
  const pair = { connector: 'workspace', identifier: 'bot@acme.test' };
  const details = { authorizationDetails: { contosoDwd: { subject: 'bot@acme.test' } } };
  expect(
    await lost('ConnectedAccounts/CreateConnectedAccount', { ...pair, connectedAccount: details }),
  ).toContain('The API has no member for AuthorizationDetails.contoso_dwd and ignores it.');
  expect(await lost('Connections/ListConnections', { include: 'all' })).toMatch(
    /Connection.type has no value for VENDORB_DWD, so it arrives empty/,
  );
  const address = { id: 'ca_100000000000000009' };
  expect(await lost('ConnectedAccounts/GetConnectedAccountAuth', address)).toContain(
    'AuthorizationDetails has no field for vendorb_dwd, so it arrives empty.',
  );
  expect(await lost('ConnectedAccounts/ListConnectedAccounts', {})).not.toContain('has no field');
  const wiki = { providerIdentifier: 'custom:1', provider: { isCustom: true } };
  expect(await lost('CustomProviders/UpdateCustomProvider', wiki)).toContain(
    'no member for Provider.is_custom',
  );
});

test.each([
  [503, Code.Unavailable],
  [502, Code.Unavailable],
  [422, Code.FailedPrecondition],
  [404, Code.NotFound],
  [429, Code.ResourceExhausted],
])('a fault %i whose body has an unknown code becomes the gRPC error of its status', async (status, code) => {
  await env.faults.add({ status, body: { code: 4711, message: 'The vendor is down.' } });
  const error = await fail('ConnectedAccounts/ListConnectedAccounts');
  expect([error.code, error.rawMessage]).toEqual([code, 'The vendor is down.']);
});

test('a form is sent as a form, a refusal of it has its code, and a reply can be one field of the message', async () => {
  const client = { grantType: 'client_credentials', clientId: 'dev-client', clientSecret: 'dev-secret' };
  const { body: issued } = await call('Tokens/IssueToken', client);
  expect(issued).toMatchObject({ token_type: 'Bearer', expires_in: '86400' });
  const error = await fail('Tokens/IssueToken', { ...client, clientSecret: 'wrong & + %' });
  expect([error.code, detailOf(error)]).toEqual([Code.Unauthenticated, { error_code: 'invalid_client' }]);
  expect(error.rawMessage).toContain('No client of this server has the id dev-client and this secret.');
  const { body: keys } = await call('Tokens/GetKeys');
  expect(keys).toMatchObject({ keys_object: { keys: [{ kty: 'RSA' }] } });
});

test('a method with two paths goes to the one whose fields are all set', async () => {
  const member = { organizationId: 'org_100000000000000001', externalId: 'ext-ada', membership: {} };
  await call('Users/UpdateMembership', member);
  expect(await env.requests()).toMatchObject([{ operation: 'updateMembershipByExternalId' }]);
});

test('the journal shows a gRPC call with its operation, and coverage counts it', async () => {
  await env.clearCoverage();
  await call('ConnectedAccounts/ListConnectedAccounts', { pageSize: 5 });
  const [entry] = await env.requests();
  expect(entry).toMatchObject({
    operation: 'listConnectedAccounts',
    grpc_method: 'example.accounts.v1.ConnectedAccounts/ListConnectedAccounts',
    status: 200,
    request: {
      method: 'GET',
      url: '/api/v1/connected_accounts?page_size=5',
      headers: { authorization: 'Bearer ***' },
    },
  });
  expect((await env.coverage()).operations).toMatchObject({ seen: 1 });
});

test.each(
  Object.entries(transports(mock.url)),
)('a client over %s gets the same answers and errors', async (_name, transport) => {
  const client = callsOver(transport);
  const { body, headers } = await client.call('ConnectedAccounts/ListConnectedAccounts', { pageSize: 3 });
  expect(body.connected_accounts).toHaveLength(3);
  expect(headers.get('x-request-id')).toMatch(/^req_/);
  const error = await client.fail('ConnectedAccounts/ListConnectedAccounts', { pageSize: 101 });
  expect(error.code).toBe(Code.InvalidArgument);
  expect(error.metadata.get('x-request-id')).toMatch(/^req_/);
  expect(detailOf(error)).toMatchObject({
    error_code: 'INVALID_ARGUMENT',
    validation_error_info: { field_violations: [{ field: 'page_size', constraint: 'maximum' }] },
  });
});
