/** How accounts age: tokens end, are refreshed, and are cut off by the third party (behaviour A8). */
import { type Case, group, inferred, promised } from '../case.ts';
import { anAccount, aVerifiedAccount } from '../given.ts';
import { absent, not, someText } from '../pattern.ts';

const BY_DETAILS = group({ about: 'getConnectedAccountDetails', needs: ['write', 'control'] }, [
  inferred('A token past its end is renewed when it is asked for', ['A8'], async (api) => {
    const { id, endsAt } = await aVerifiedAccount(api);
    await api.mock.advance('61m');
    await api.details({ id }).shows({ status: 'ACTIVE' });
    await api.auth({ id }).shows({
      status: 'ACTIVE',
      token_expires_at: not(endsAt),
      authorization_details: { oauth_token: { access_token: someText } },
    });
  }),
  inferred('A token that is not refreshed is EXPIRED from its end on', ['A8', 'T9'], async (api) => {
    const { id } = await aVerifiedAccount(api);
    await api.mock.accounts.revoke(id);
    await api.mock.advance('61m');
    await api.details({ id }).shows({ status: 'EXPIRED' });
    await api.auth({ id }).shows({ status: 'EXPIRED' });
  }),
  promised('After its token has ended an account has to be authorized again', [], async (api) => {
    const { id } = await aVerifiedAccount(api);
    await api.auth({ id }).succeeds();
    await api.mock.accounts.revoke(id);
    await api.mock.advance('61m');
    await api.details({ id }).shows({ status: 'EXPIRED' });
  }),
  inferred('Until its end such an account is ACTIVE', ['A8'], async (api) => {
    const { id } = await aVerifiedAccount(api);
    await api.mock.accounts.revoke(id);
    await api.mock.advance('59m');
    await api.details({ id }).shows({ status: 'ACTIVE' });
  }),
  inferred('Expiring an account makes it EXPIRED now, whenever its token ends', ['A8'], async (api) => {
    const { id } = await anAccount(api, 'OAUTH');
    await api.mock.accounts.expire(id);
    await api.details({ id }).shows({ status: 'EXPIRED' });
  }),
  inferred('Even an API key can be expired', ['A8'], async (api) => {
    const { id } = await anAccount(api, 'API_KEY');
    await api.mock.accounts.expire(id);
    await api.details({ id }).shows({ status: 'EXPIRED' });
  }),
  inferred('Granting also ends what was done to an account that needs no token', ['A8'], async (api) => {
    const { id } = await anAccount(api, 'NO_AUTH');
    for (const action of ['expire', 'disconnect'] as const) {
      await api.mock.accounts[action](id);
      await api.mock.accounts.grant(id);
      await api.details({ id }).shows({ status: 'ACTIVE' });
    }
  }),
  inferred('Granting refresh again makes an expired account ACTIVE', ['A8'], async (api) => {
    const { id } = await anAccount(api, 'OAUTH');
    await api.mock.accounts.expire(id);
    await api.mock.accounts.grant(id);
    await api.details({ id }).shows({ status: 'ACTIVE' });
  }),
]);

const BY_AUTH = group({ about: 'getConnectedAccountAuth', needs: ['write', 'control'] }, [
  inferred('A disconnected account answers with its status and hands out nothing', ['A8'], async (api) => {
    const { id } = await anAccount(api, 'OAUTH');
    await api.mock.accounts.disconnect(id);
    await api.auth({ id }).shows({ status: 'DISCONNECTED', authorization_details: absent });
  }),
]);

export const ACCOUNT_TIME_CASES: readonly Case[] = [...BY_DETAILS, ...BY_AUTH];
