/** How bodies and queries are read. */
import { anAccount } from '../arrange.ts';
import { type Case, define } from '../case.ts';
import { absent, aText } from '../pattern.ts';
import { UNKNOWN } from '../samples.ts';

const LIST = '/api/v1/connected_accounts';

/** A body that an operation cannot read. */
const unreadable = (name: string, rule: 'T4' | 'T10', text: string, type = 'application/json'): Case =>
  define({
    name,
    operationId: 'deleteConnectedAccount',
    basis: 'inferred',
    cites: [rule],
    send: () => ({ text, headers: { 'content-type': type } }),
    status: 400,
  });

const rawQuery = (name: string, rule: 'T3' | 'T7' | 'T2', query: string): Case =>
  define({
    name,
    operationId: 'listConnectedAccounts',
    basis: 'inferred',
    cites: [rule],
    send: () => ({ url: `${LIST}?${query}` }),
    status: 200,
  });

const strict = { 'x-mock-strict': '1' };

export const REQUEST_CASES = [
  define({
    name: 'A refusal never repeats a credential',
    operationId: 'updateConnectedAccount',
    basis: 'inferred',
    cites: ['R2'],
    send: () => ({
      body: {
        id: UNKNOWN.account,
        connected_account: {
          authorization_details: { oauth_token: { access_token: 4815162342 } },
        },
      },
    }),
    status: 400,
    body: { message: aText(/^(?!.*4815162342)/s) },
  }),
  define({
    name: 'A body of no length is an empty object, and validated as one',
    operationId: 'verifyConnectedAccountUser',
    basis: 'inferred',
    cites: ['T5'],
    send: () => ({ text: '' }),
    status: 400,
    violates: 'auth_request_id',
  }),
  unreadable('A body that is no JSON is refused', 'T4', '{"id": '),
  unreadable('A body of another media type is refused', 'T4', 'id=ca_1', 'text/plain'),
  unreadable('A body that is no object is refused', 'T4', '[]'),
  unreadable(
    'A member named __proto__ is refused anywhere in a body',
    'T10',
    `{"id":"${UNKNOWN.account}","api":{"__proto__":{"a":1}}}`,
  ),
  define({
    name: 'Members named like those of a prototype are data like any other',
    operationId: 'createConnectedAccount',
    basis: 'inferred',
    cites: ['T10'],
    needs: ['write'],
    send: ({ connector, unique }) => ({
      body: {
        connector: connector('OAUTH'),
        identifier: unique,
        connected_account: { api_config: { constructor: 'mine', toString: 'mine too' } },
      },
    }),
    status: 201,
    body: { connected_account: { api_config: { constructor: 'mine', toString: 'mine too' } } },
  }),
  rawQuery('Reserved characters in a query value are taken as they are', 'T7', "identifier=a@b:c,d*e'f/g"),
  rawQuery('An empty query value counts as absent', 'T7', 'organization_id=&query=&page_size='),
  rawQuery('A query parameter may be written in lowerCamelCase', 'T3', 'pageSize=1&organizationId=org_1'),
  rawQuery('An unknown query parameter is ignored', 'T2', 'colour=blue'),
  define({
    name: 'A plus in a query value is a space',
    operationId: 'listConnectedAccounts',
    basis: 'inferred',
    cites: ['T7'],
    needs: ['write'],
    arrange: async (session) => {
      const identifier = `${session.unique} with spaces`;
      const body = { connector: session.connector('API_KEY'), identifier };
      await session.obtain('createConnectedAccount', { body }, 201);
      return identifier;
    },
    send: ({ given }) => ({ url: `${LIST}?identifier=${given.replaceAll(' ', '+')}` }),
    status: 200,
    body: { total_size: 1 },
  }),
  define({
    name: 'A lowerCamelCase parameter is held to the same limits',
    operationId: 'listConnectedAccounts',
    basis: 'inferred',
    cites: ['T3', 'I3'],
    send: () => ({ url: `${LIST}?pageSize=101` }),
    status: 400,
    violates: 'page_size',
  }),
  define({
    name: 'An unknown member of a body is ignored',
    operationId: 'updateConnectedAccount',
    basis: 'inferred',
    cites: ['T2'],
    needs: ['write'],
    arrange: anAccount('OAUTH'),
    send: ({ given }) => ({ body: { id: given.id, colour: 'blue', connected_account: { colour: 'blue' } } }),
    status: 200,
    body: { connected_account: { colour: absent } },
  }),
  define({
    name: 'In strict mode an unknown query parameter is refused by name',
    operationId: 'listConnectedAccounts',
    basis: 'inferred',
    cites: ['T2'],
    needs: ['control'],
    send: () => ({ url: `${LIST}?conector=mail`, headers: strict }),
    status: 400,
    violates: 'conector',
  }),
  define({
    name: 'In strict mode an unknown member of a body is refused by name',
    operationId: 'deleteConnectedAccount',
    basis: 'inferred',
    cites: ['T2'],
    needs: ['control'],
    send: () => ({ body: { id: UNKNOWN.account, identifer: 'ada' }, headers: strict }),
    status: 400,
    violates: 'identifer',
  }),
];
