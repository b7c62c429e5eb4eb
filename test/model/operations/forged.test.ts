/** The content of a page token is checked before use: any content gives a page or a refusal, never a TypeError. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { InputFor } from '../../../src/contract/types.ts';
import { Refusal } from '../../../src/core/errors.ts';
import { fromStart } from '../../../src/core/moment.ts';
import type { State } from '../../../src/model/domain/state.ts';
import { call, stateOf } from '../../support/core.ts';
import { forgePageToken } from '../../support/forge.ts';
import { directory, entryRow } from '../../support/people.ts';
import { accountRow, connectionRow } from '../../support/rows.ts';

const state: State = stateOf(
  {
    connections: [connectionRow({ key_id: 'mail', type: 'OAUTH' })],
    connected_accounts: ['a', 'b', 'c'].map((identifier) =>
      accountRow({ id: `ca_${identifier}`, connector: 'mail', identifier }),
    ),
    authentication_requests: ['a', 'b', 'c'].map((id) => entryRow(id, { timestamp: fromStart(0) })),
  },
  directory(),
);

const isAnswered = (ask: () => unknown): boolean => {
  try {
    ask();
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.errorCode !== 'INTERNAL_ERROR') return false;
    throw error;
  }
};

const ODD = ['__proto__', 'constructor', 1e308, -0, '', 'mail', [[]]];
const nonsense = fc.oneof(fc.jsonValue(), fc.constantFrom(...ODD));

/** Mostly correct values, so that the checks after the first are reached too. */
const mostly = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 8, arbitrary }, { weight: 1, arbitrary: nonsense });

/** The content of a token. @param query the filters of the call, which a token must have too to give a page */
const cursor = (list: string, filters: readonly string[], query: object) =>
  fc.record(
    {
      list: fc.constant(list),
      filters: mostly(
        fc.oneof(
          fc.constant(query),
          fc.dictionary(
            fc.constantFrom(...filters),
            mostly(fc.constantFrom('mail', '2026-01-15T09:30:00.000Z', ['mail'], ['mail', 'MAIL', 'mail'])),
            { maxKeys: 2 },
          ),
        ),
      ),
      direction: mostly(fc.constantFrom('forward', 'backward')),
      position: mostly(fc.constantFrom(0, 1, 0.5, '1', '4001000000000000.000000000001', 'no.2')),
    },
    { requiredKeys: ['list', 'filters', 'direction'] },
  );

type List = 'listConnectedAccounts' | 'searchConnectedAccounts' | 'listAuthenticationRequests';

/** The ids on the first page of a query and on all pages after it, with one row per page. */
const idsFrom = (list: List, query: object): string[] => {
  const { body } = call(state, list, { query: { ...query, page_size: 1 } as InputFor<typeof list>['query'] });
  const ids = (
    'authRequests' in body
      ? body.authRequests.map(({ auth_request_id }) => auth_request_id)
      : body.connected_accounts.map(({ id }) => id)
  ) as string[];
  const { next_page_token: page_token } = body;
  return page_token ? [...ids, ...idsFrom(list, { ...query, page_token })] : ids;
};

const ACCOUNT_FILTERS = 'organization_id user_id connector identifier provider query connection_names'.split(
  ' ',
);
const LOG_FILTERS = 'email status resource_id client_id start_time end_time'.split(' ');

test.each([
  ['listConnectedAccounts', ACCOUNT_FILTERS, {}],
  ['searchConnectedAccounts', ['query', 'connection_id'], { query: 'mail' }],
  ['listAuthenticationRequests', LOG_FILTERS, {}],
] as const)('behaviour I4: a page token of %s with any content and a correct checksum is refused, or shows each row at most once', (list, filters, query) => {
  const seen = { pages: 0, refusals: 0 };
  fc.assert(
    fc.property(mostly(cursor(list, filters, query)), (payload) => {
      const page_token = forgePageToken(JSON.stringify(payload));
      const answered = isAnswered(() => {
        const ids = idsFrom(list, { ...query, page_token });
        expect(ids).toEqual([...new Set(ids)]);
      });
      seen[answered ? 'pages' : 'refusals'] += 1;
    }),
    { numRuns: 500 },
  );
  expect(seen.pages).toBeGreaterThan(10);
  expect(seen.refusals).toBeGreaterThan(10);
});
