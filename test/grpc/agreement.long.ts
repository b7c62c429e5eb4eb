/**
 * Checks that the mock refuses exactly the values that break the field rules in the descriptors: values at each limit, next to
 * it, empty, absent, of another form. The rules do not come from the contract, so the test compares two independent sources.
 * `SDK_DESCRIPTORS=PATH` takes the rules of another SDK.
 */
import { type DescMethodUnary, fromJson, type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { expect, test } from '@jest/globals';
import { readMethods } from '../../src/grpc/bind.ts';
import { loadContract } from '../../src/service/document.ts';
import { type Case, casesOf, keepsRules } from './field-rules.ts';
import { SDK, startGrpc } from './support.ts';

const ACCOUNT = { connector: 'mail', identifier: 'ada@acme.test', organization_id: 'acme', user_id: 'ada' };
const BY_ID = { id: 'ca_100000000000000001' };
const MEMBER = { organization_id: 'org_100000000000000001', id: 'usr_100000000000000001' };
const EXTERNAL = { organization_id: 'org_100000000000000001', external_id: 'ext-ada' };
const MEMBERSHIP = { roles: [{ name: 'member' }], metadata: { team: 'core' } };
const PROVIDER = {
  display_name: 'Acme',
  proxy_url: 'https://api.acme.test',
  icon_src: 'https://api.acme.test/icon.svg',
  auth_patterns: [{ type: 'BASIC' }],
  metadata: { team: 'core' },
};

/** Valid messages. An operation has two messages if some of its fields exclude each other. */
const VALID: readonly (readonly [operationId: string, message: JsonObject])[] = [
  ['listConnections', { organization_id: 'org_100000000000000001', domain: 'acme.test' }],
  ['listConnectedAccounts', { ...ACCOUNT, provider: 'GOOGLE', page_size: 10, query: 'ada' }],
  ['listConnectedAccounts', { connection_names: ['mail'] }],
  ['searchConnectedAccounts', { query: 'ada', page_size: 10, connection_id: 'conn_100000000000000001' }],
  ['createConnectedAccount', { ...ACCOUNT, connected_account: {} }],
  ['updateConnectedAccount', { ...ACCOUNT, connected_account: {} }],
  ['updateConnectedAccount', { ...BY_ID, connected_account: {} }],
  ['deleteConnectedAccount', ACCOUNT],
  ['deleteConnectedAccount', BY_ID],
  ['getConnectedAccountAuth', ACCOUNT],
  ['getConnectedAccountAuth', BY_ID],
  ['getConnectedAccountDetails', ACCOUNT],
  ['getConnectedAccountDetails', BY_ID],
  ['createMagicLink', { ...ACCOUNT, state: 's', user_verify_url: 'https://app.test/verify' }],
  ['createMagicLink', { ...ACCOUNT, ...BY_ID }],
  ['verifyConnectedAccountUser', { auth_request_id: 'pending', identifier: 'grace@acme.test' }],
  ['createMembership', { ...MEMBER, membership: { ...MEMBERSHIP, inviter_email: 'ada@acme.test' } }],
  ['createMembership', { ...EXTERNAL, membership: MEMBERSHIP }],
  ['updateMembership', { ...MEMBER, membership: MEMBERSHIP }],
  ['updateMembership', { ...EXTERNAL, membership: MEMBERSHIP }],
  ['deleteMembership', MEMBER],
  ['deleteMembership', EXTERNAL],
  ['resendInvite', MEMBER],
  ['createCustomProvider', { provider: PROVIDER }],
  ['updateCustomProvider', { provider_identifier: 'WIKI', identifier: 'WIKI', provider: PROVIDER }],
  ['deleteCustomProvider', { identifier: 'WIKI' }],
];

const descriptors = process.env.SDK_DESCRIPTORS ? [process.env.SDK_DESCRIPTORS] : SDK;
const { methods } = readMethods(descriptors, loadContract());

const CASES = VALID.flatMap(([operationId, valid]) => {
  const bound = methods.find(({ rules }) => rules.some((one) => one.operation.operationId === operationId));
  if (!bound) return [];
  const method = bound.method as DescMethodUnary; // only unary methods have rules
  const names = method.input.fields.map(({ name }) => name);
  const message = Object.fromEntries(Object.entries(valid).filter(([name]) => names.includes(name)));
  return casesOf(message, method.input).map((given) => ({ ...given, operationId, method }));
});
type Compared = (typeof CASES)[number];

const isValid = ({ message, method }: Compared): boolean => keepsRules(message, method.input);

/** Connections for all valid connectors, since the mock refuses unknown connectors. Connector names ignore case. */
const names = CASES.filter(isValid).map(({ message }) => String(message.connector ?? ''));
const own = new Map(names.map((name) => [name.toLowerCase(), { key_id: name, type: 'OAUTH' as const }]));
own.delete('');
own.delete(ACCOUNT.connector);

const { mock } = await startGrpc({
  scenario: { extends: 'default', environments: { development: { connections: [...own.values()] } } },
  grpcDescriptors: descriptors,
});
const transport = createGrpcTransport({ baseUrl: mock.url });

const BROKEN: readonly Code[] = [Code.Internal, Code.Unavailable, Code.Unimplemented, Code.Unknown];

/** Why the mock refuses a message; undefined if it gets past the check of its values. */
const refusalOf = async ({ method, message }: Compared): Promise<string | undefined> => {
  const headers = { authorization: 'Bearer dev-token' };
  try {
    await transport.unary(method, undefined, undefined, headers, fromJson(method.input, message));
  } catch (error) {
    const { code, rawMessage } = ConnectError.from(error);
    if (BROKEN.includes(code)) throw error;
    return code === Code.InvalidArgument ? rawMessage : undefined;
  }
  return undefined;
};

const shownValue = ({ field, message }: Case): string => {
  const value = field.split('.').reduce<JsonValue | undefined>((inner, name) => Object(inner)[name], message);
  return String(JSON.stringify(value)).slice(0, 60);
};

/** The percentage of cases that must agree. The others differ on purpose: an empty text, for example, counts as absent. */
const LEAST = 94.5;

test('the mock refuses a message exactly if it breaks the rules of the descriptors, in 94.5 % of the cases or more', async () => {
  const refusals = await Promise.all(CASES.map(refusalOf));
  const others = CASES.flatMap((one, nth) => {
    const refusal = refusals[nth];
    if ((refusal === undefined) === isValid(one)) return [];
    const why = refusal === undefined ? 'the rules refuse it, the mock does not' : refusal.slice(0, 100);
    return `${one.operationId} ${one.field} ${shownValue(one)}: ${why}`;
  });
  const share = (1 - others.length / CASES.length) * 100;
  console.log(`${share.toFixed(1)} % of ${CASES.length} cases agree. The others:\n${others.join('\n')}`);
  expect(CASES.length).toBeGreaterThan(1_000);
  expect(share).toBeGreaterThanOrEqual(LEAST);
});
