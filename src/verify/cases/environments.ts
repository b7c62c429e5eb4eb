/** Environments: nothing of one is in another, and each has its own clients, clock and start. */
import { advance, anAccount } from '../arrange.ts';
import { textAt } from '../call.ts';
import { define } from '../case.ts';
import { timeAfter } from '../pattern.ts';
import type { Context } from '../session.ts';

const HOUR = 3_600_000;

const grant = ({ clientId, clientSecret }: Context) => ({
  grant_type: 'client_credentials',
  client_id: clientId,
  client_secret: clientSecret,
});

export const ENVIRONMENT_CASES = [
  define({
    name: 'What is made in one environment is in no other',
    operationId: 'getConnectedAccountDetails',
    basis: 'promised',
    cites: ['service.separate', 'authentication.per_environment', 'E1', 'E2'],
    needs: ['write', 'control'],
    arrange: async (session) => {
      const { connector, identifier } = await anAccount('OAUTH')(session);
      const { token } = await session.elsewhere();
      return { connector, identifier, token };
    },
    send: ({ given: { token, ...query } }) => ({ query, token }),
    status: 404,
    afterwards: [{ send: ({ given: { token: _elsewhere, ...query } }) => ({ query }), status: 200 }],
  }),
  define({
    name: 'A request that names another environment than its token is refused',
    operationId: 'listConnections',
    basis: 'inferred',
    cites: ['E2'],
    needs: ['control'],
    send: () => ({ headers: { 'x-mock-environment': 'somewhere-else' } }),
    status: 401,
  }),
  define({
    name: 'A fixed bearer does not end, and shares its environment with the tokens of its clients',
    operationId: 'createConnectedAccount',
    basis: 'inferred',
    cites: ['E1', 'E4'],
    needs: ['write', 'control'],
    arrange: advance('400d'),
    send: ({ connector, unique }) => ({ body: { connector: connector('OAUTH'), identifier: unique } }),
    status: 201,
    afterwards: [
      { operationId: 'issueToken', send: (scope) => ({ form: grant(scope) }), status: 200 },
      {
        operationId: 'getConnectedAccountDetails',
        send: ({ connector, unique, last }) => ({
          token: textAt(last.body, 'access_token'),
          query: { connector: connector('OAUTH'), identifier: unique },
        }),
        status: 200,
      },
    ],
  }),
  define({
    name: 'A client belongs to one environment; another that asks for the same one is refused',
    operationId: 'issueToken',
    basis: 'inferred',
    cites: ['E5'],
    needs: ['control'],
    arrange: async (session) => (await session.elsewhere()).clientId,
    send: ({ given }) => ({
      control: {
        method: 'PATCH',
        path: 'state',
        body: { clients: [{ client_id: given, client_secret: 'conformance-secret' }] },
      },
    }),
    status: 409,
  }),
  define({
    name: 'Relative times of a scenario count from the start of the environment, and anew after a reset',
    operationId: 'listAuthenticationRequests',
    basis: 'inferred',
    cites: ['E6'],
    needs: ['control'],
    arrange: async ({ control }) => {
      await control.advance('30d');
      await control.reset();
      return textAt(await control.read('clock'), 'now');
    },
    send: () => ({ query: { page_size: 1, email: 'ada@acme.test' } }),
    status: 200,
    body: ({ given }) => ({ authRequests: [{ timestamp: timeAfter(given, -10 * HOUR) }] }),
  }),
];
