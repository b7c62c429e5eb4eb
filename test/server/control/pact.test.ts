/** `GET /_mock/pact`, read by the comparator that brokers use. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import * as broker from '@pactflow/openapi-pact-comparator';
import { parse } from 'yaml';
import { pathsIn } from '../../../src/contract/members.ts';
import { allSurfaces } from '../../../src/contract/surfaces.ts';
import { writePact } from '../../../src/server/control/pact.ts';
import { testServer } from '../../support/server.ts';

interface Problem {
  readonly type: string;
}

/** The package's declarations do not name its class. */
const { Comparator } = broker as unknown as {
  Comparator: new (contract: object) => { compare(pact: object): AsyncIterable<Problem> };
};

const server = testServer();
const contract = () => parse(readFileSync('openapi.yaml', 'utf8'));
const MEMBER = '/api/v1/memberships/organizations/org_100000000000000001/users/usr_100000000000000005';

/** Makes calls of every kind, and returns the Pact. */
const callAndRead = async () => {
  const own = await server.isolated();
  await server.issueToken('dev-client', 'dev-secret');
  const pair = { connector: 'mail', identifier: 'secret-name@acme.test' };
  await own.api('POST', '/api/v1/connected_accounts', {
    ...pair,
    connected_account: {
      authorization_details: { oauth_token: { access_token: 'canary', scopes: ['mail.read'] } },
    },
  });
  await own.api('POST', '/api/v1/connected_accounts', pair);
  await own.api('GET', '/api/v1/connected_accounts?page_size=2&connector=mail');
  await own.api('GET', '/api/v1/connected_accounts/auth?connector=mail&identifier=secret-name@acme.test');
  await own.api('POST', '/api/v1/connected_accounts/magic_link', { ...pair, state: 'x' });
  await own.api('GET', '/api/v1/connections?include=all');
  await own.api('POST', MEMBER, { roles: [{ name: 'admin' }], inviter_email: 'ada@acme.test' });
  await own.api('PATCH', `${MEMBER.replace('/memberships/', '/invites/')}/resend`);
  await own.api('POST', '/api/v1/connected_accounts', { connector: 7 });
  await own.api('GET', '/api/v1/logs/authentication/requests');
  return (await server.control('GET', '/pact?consumer=shop')).body;
};

const problemsIn = async (document: object, pact: object): Promise<readonly Problem[]> => {
  const problems: Problem[] = [];
  for await (const one of new Comparator(document).compare(pact)) problems.push(one);
  return problems;
};

test('a Pact agrees with the contract, holds no data, and is the same after the same calls', async () => {
  const pact = await callAndRead();
  expect([pact.consumer.name, pact.metadata.pactSpecification.version]).toEqual(['shop', '3.0.0']);
  const told = pact.interactions.map(({ description }: { description: string }) => description);
  expect(told).toContain('createConnectedAccount 409');
  expect(told).not.toContain('createConnectedAccount 400');
  expect((await server.control('GET', '/pact')).body.consumer.name).toBe('application');
  const headersOf = (name: string) =>
    pact.interactions.find(({ description }: { description: string }) => description === name).request
      .headers;
  expect(headersOf('issueToken 200')).toEqual({ 'Content-Type': 'application/x-www-form-urlencoded' });
  expect(headersOf('listConnections 200')).toEqual({ Authorization: 'Bearer token' });
  expect(JSON.stringify(pact)).not.toMatch(/secret-name|canary/);
  expect(await problemsIn(contract(), pact)).toEqual([]);
  expect(JSON.stringify(await callAndRead())).toBe(JSON.stringify(pact));
});

test('a Pact that has every parameter and member of the contract agrees with it', async () => {
  const all = allSurfaces().map(({ operationId, query, members, statuses, reply }) => {
    const good = statuses.filter((status) => status < 300);
    const gets = Object.fromEntries(good.map((status) => [status, [...pathsIn(reply(status))]]));
    return [operationId, { sends: [...query.members.keys(), ...members], gets }];
  });
  const pact = writePact(Object.fromEntries(all), 'shop', 'default');
  expect(pact.interactions.length).toBeGreaterThan(20);
  const failed = { listAuthenticationRequests: { sends: ['status=FAILED'], gets: { 200: [] } } };
  const [one] = writePact(failed, 'shop', 'default').interactions;
  expect(one?.request.query).toEqual({ status: ['FAILED'] });
  expect(await problemsIn(contract(), pact)).toEqual([]);
});

type Document = ReturnType<typeof contract>;

/** The Pact that all changed documents are compared with. */
let made: Promise<object> | undefined;

// biome-ignore format: one line for each change
const CHANGES: readonly (readonly [change: string, make: (document: Document) => unknown])[] = [
  ['a removed path', ({ paths }) => delete paths['/api/v1/connections']],
  ['a removed reply member', ({ components: { schemas: { MagicLink } } }) => { delete MagicLink.properties.expiry; Object.assign(MagicLink, { additionalProperties: false, required: ['link'] }); }],
  ['a new required parameter', ({ paths }) => paths['/api/v1/connections'].get.parameters.push({ name: 'tenant', in: 'query', required: true, schema: { type: 'string' } })],
  ['a removed value of a parameter', ({ components }) => { components.parameters.IncludeConnections.schema.enum = ['none']; }],
  ['a removed value of a reply member', ({ components }) => { components.schemas.ConnectedAccountStatus.enum = ['GONE']; }],
  ['a narrower pattern', ({ components }) => { components.schemas.ConnectorName.pattern = '^[0-9]+$'; }],
  ['a removed status', ({ paths }) => { for (const status of ['409', 'default']) delete paths['/api/v1/connected_accounts'].post.responses[status]; }],
];

test.each(CHANGES)('the comparator finds %s', async (_change, make) => {
  const document = contract();
  make(document);
  made ??= callAndRead();
  const problems = await problemsIn(document, await made);
  expect(problems.some(({ type }) => type === 'error')).toBe(true);
});
