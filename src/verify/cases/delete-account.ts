/** Deleting connected accounts. */
import { type Case, group, inferred, promised } from '../case.ts';
import { aConsent, anAccount } from '../given.ts';
import { empty, not } from '../pattern.ts';
import { ACCOUNTS, UNKNOWN } from '../samples.ts';

export const DELETE_ACCOUNT_CASES: readonly Case[] = [
  ...group({ about: 'deleteConnectedAccount', needs: ['write'] }, [
    promised('A deleted account is gone, and an empty body says so', ['A9'], async (api) => {
      const account = await anAccount(api, 'OAUTH');
      await api.remove(account).succeeds(empty);
      await api.details(account).isMissing();
      await api.auth(account).isMissing();
      await api.remove(account).isMissing();
    }),
    inferred(
      'Delete takes connector and identifier, and the pair can be created again with a new id',
      ['A9', 'I1'],
      async (api) => {
        const { id, connector, identifier } = await anAccount(api, 'OAUTH');
        await api.remove({ connector, identifier }).succeeds();
        await api.create({ connector, identifier }).shows({ id: not(id) });
      },
    ),
    inferred('A delete with the wrong owner finds nothing and removes nothing', ['A2'], async (api) => {
      const { id } = await anAccount(api, 'OAUTH');
      await api.send({ body: { id, organization_id: UNKNOWN.organization } }).isMissing();
      await api.details({ id }).succeeds();
    }),
  ]),
  ...group({ about: 'deleteConnectedAccount', needs: ['write', 'person'] }, [
    inferred('Delete ends what was pending for the account', ['A9', 'V6'], async (api) => {
      const consent = await aConsent(api);
      await api.remove(consent).succeeds();
      await api.verify(consent.authRequestId, consent.identifier).isMissing();
    }),
  ]),
  ...group(
    { about: 'deleteConnectedAccount', needs: ['write', 'control'] },
    Object.entries(ACCOUNTS).map(([status, id]) =>
      promised(`An account that is ${status} can be deleted`, [], async (api) => {
        await api.remove({ id }).succeeds();
        await api.details({ id }).isMissing();
      }),
    ),
  ),
  ...group({ about: 'deleteConnectedAccount' }, [
    promised('A delete without an account named is refused', ['A2'], (api) =>
      api.send({ body: {} }).isRefused('id'),
    ),
    promised('A delete of an account that does not exist is not found', [], (api) =>
      api.remove({ id: UNKNOWN.account }).isMissing(),
    ),
  ]),
];
