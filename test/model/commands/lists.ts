/** Commands that read: lists of accounts, the search, and what has no state. */
import fc from 'fast-check';
import type { Account, Foreseen } from '../model/world.ts';
import { requireMembers, settle } from '../run.ts';
import { type Command, command } from './command.ts';

const filters = fc.record(
  {
    connector: fc.constantFrom('mail', 'CRM', 'nowhere'),
    identifier: fc.constantFrom('ada@acme.test', 'grace@acme.test'),
    organization_id: fc.constantFrom('org_acme', 'org_globex'),
  },
  { requiredKeys: [] },
);

const listAccounts: fc.Arbitrary<Command> = fc
  .record({ filters, size: fc.integer({ min: 1, max: 4 }) })
  .map(({ filters: by, size }) =>
    command(`list ${JSON.stringify(by)} by ${size}`, async (run, twins) => {
      const foreseen = run.model.accounts.filter(
        (account) =>
          (by.connector === undefined || account.connector === by.connector.toLowerCase()) &&
          (by.identifier === undefined || account.identifier === by.identifier) &&
          (by.organization_id === undefined || account.organization === by.organization_id),
      );
      const path = (token: string) =>
        `/api/v1/connected_accounts?${new URLSearchParams({ ...by, page_size: String(size), page_token: token })}`;
      let { body } = await twins.call({ method: 'GET', path: path('') });
      const ids: string[] = [];
      for (;;) {
        ids.push(...body.connected_accounts.map(({ id }: { id: string }) => id));
        requireMembers(body, { total_size: foreseen.length });
        if (body.next_page_token === '') break;
        ({ body } = await twins.call({ method: 'GET', path: path(body.next_page_token) }));
      }
      requireMembers(
        ids,
        foreseen.map(({ id }) => id),
        'ids',
      );
      requireMembers(ids, { length: foreseen.length }, 'ids');
      return { status: 200 };
    }),
  );

const search: fc.Arbitrary<Command> = fc.constantFrom('ACME', 'mail', 'ünï', 'xy').map((text) =>
  command(`search ${text}`, async (run, twins) => {
    const isTooShort = text.length < 3;
    const holds = ({ connector, identifier }: Account): boolean =>
      [connector, identifier].some((member) => member.toLowerCase().includes(text.toLowerCase()));
    const foreseen: Foreseen = isTooShort
      ? { status: 400 }
      : { status: 200, shows: { total_size: run.model.accounts.filter(holds).length } };
    const path = `/api/v1/connected_accounts:search?query=${encodeURIComponent(text)}`;
    settle(run, foreseen, await twins.call({ method: 'GET', path }));
    return foreseen;
  }),
);

const READS = [
  '/keys',
  '/.well-known/openid-configuration',
  '/api/v1/connections',
  '/api/v1/connections?include=all',
  '/openapi.json',
  '/api/v1/logs/authentication/requests?status=success',
];

const read: fc.Arbitrary<Command> = fc.constantFrom(...READS).map((path) =>
  command(`read ${path}`, async (run, twins) => {
    settle(run, { status: 200 }, await twins.call({ method: 'GET', path }));
    return { status: 200 };
  }),
);

export const LIST_COMMANDS = [listAccounts, search, read];
