/** Environments: nothing of one is in another, and each has its own clients, clock and start. */
import { type Case, group, inferred, promised } from '../case.ts';
import { anAccount } from '../given.ts';
import { textAt } from '../http.ts';
import { timeAfter } from '../pattern.ts';
import { grant } from './tokens.ts';

const HOUR = 3_600_000;

export const ENVIRONMENT_CASES: readonly Case[] = [
  ...group({ about: 'getConnectedAccountDetails', needs: ['write', 'control'] }, [
    promised('What is made in one environment is in no other', ['E1', 'E2'], async (api) => {
      const { connector, identifier } = await anAccount(api, 'OAUTH');
      const { token } = await api.elsewhere();
      await api.send({ query: { connector, identifier }, token }).isMissing();
      await api.send({ query: { connector, identifier } }).succeeds();
    }),
  ]),
  ...group({ about: 'listConnections', needs: ['control'] }, [
    inferred('A request that names another environment than its token is refused', ['E2'], (api) =>
      api.send({ headers: { 'x-mock-environment': 'somewhere-else' } }).answers(401),
    ),
  ]),
  ...group({ about: 'createConnectedAccount', needs: ['write', 'control'] }, [
    inferred(
      'A fixed bearer does not end, and shares its environment with the tokens of its clients',
      ['E1', 'E4'],
      async (api) => {
        await api.mock.advance('400d');
        const pair = api.pair('OAUTH');
        await api.create(pair).succeeds();
        const { body } = await api.call('issueToken', { form: grant(api) }).succeeds();
        const token = textAt(body, 'access_token');
        await api.call('getConnectedAccountDetails', { query: pair, token }).succeeds();
      },
    ),
  ]),
  ...group({ about: 'issueToken', needs: ['control'] }, [
    inferred(
      'A client belongs to one environment; another that asks for the same one is refused',
      ['E5'],
      async (api) => {
        const { clientId } = await api.elsewhere();
        const clients = [{ client_id: clientId, client_secret: 'conformance-secret' }];
        await api.refusesRows({ clients }, 'RESOURCE_ALREADY_EXISTS');
      },
    ),
  ]),
  ...group({ about: 'listAuthenticationRequests', needs: ['control'] }, [
    inferred(
      'Relative times of a scenario count from the start of the environment, and again after a reset',
      ['E6'],
      async (api) => {
        await api.mock.advance('30d');
        await api.mock.reset();
        const { now } = await api.mock.clock();
        await api
          .send({ query: { page_size: 1, email: 'ada@acme.test' } })
          .succeeds({ authRequests: [{ timestamp: timeAfter(now, -10 * HOUR) }] });
      },
    ),
  ]),
];
