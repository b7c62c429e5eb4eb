/** Updating connected accounts. */
import { type Case, group, inferred, promised } from '../case.ts';
import { anAccount, aPendingAccount, CREDENTIALS } from '../given.ts';
import { textAt } from '../http.ts';
import { absent, not } from '../pattern.ts';
import { UNKNOWN } from '../samples.ts';

const OAUTH = { authorization_details: CREDENTIALS.OAUTH };

const EMPTY_TOKEN = { authorization_details: { oauth_token: { access_token: '' } } };

const CHANGES = group({ about: 'updateConnectedAccount', needs: ['write'] }, [
  promised('api_config merges member by member: what is not sent stays', ['A7'], async (api) => {
    const account = await anAccount(api, 'OAUTH', { api_config: { folder: 'inbox', depth: 1 } });
    await api
      .update(account, { api_config: { depth: 2, added: true } })
      .shows({ api_config: { folder: 'inbox', depth: 2, added: true } });
  }),
  inferred('api_config merges at its top level alone', ['A7'], async (api) => {
    const account = await anAccount(api, 'OAUTH', { api_config: { deep: { one: 1, two: 2 } } });
    await api
      .update(account, { api_config: { deep: { two: 3 } } })
      .shows({ api_config: { deep: { one: absent, two: 3 } } });
  }),
  promised('Of the credentials only the members that are sent change', ['A7'], async (api) => {
    const account = await anAccount(api, 'OAUTH');
    const newer = { access_token: 'newer-access-token' };
    await api.update(account, { authorization_details: { oauth_token: newer } }).shows({
      authorization_details: { oauth_token: { ...CREDENTIALS.OAUTH.oauth_token, ...newer } },
    });
  }),
  promised('The reply holds the account in full, with its credentials', [], async (api) => {
    const { id, connector, identifier } = await anAccount(api, 'API_KEY');
    await api
      .update({ connector, identifier }, { api_config: { a: 1 } })
      .shows({ id, authorization_details: CREDENTIALS.API_KEY });
  }),
  inferred('Usable credentials make a PENDING_AUTH account ACTIVE', ['A7'], async (api) =>
    api.update(await aPendingAccount(api), OAUTH).shows({ status: 'ACTIVE' }),
  ),
  promised('Credentials can be added to an account that was created without', [], async (api) => {
    const account = await aPendingAccount(api);
    await api.update(account, OAUTH).succeeds();
    await api.auth(account).shows(OAUTH);
  }),
  inferred('Configuration alone leaves the status', ['A7'], async (api) =>
    api
      .update(await aPendingAccount(api), { api_config: { folder: 'inbox' } })
      .shows({ status: 'PENDING_AUTH' }),
  ),
  inferred('An empty access token replaces none', ['A7', 'T5'], async (api) =>
    api.update(await anAccount(api, 'OAUTH'), EMPTY_TOKEN).shows({ status: 'ACTIVE', ...OAUTH }),
  ),
  inferred('An empty access token makes nothing ACTIVE', ['A7', 'T5'], async (api) =>
    api.update(await aPendingAccount(api), EMPTY_TOKEN).shows({ status: 'PENDING_AUTH' }),
  ),
  inferred('An update with credentials of another kind is refused', ['A5'], async (api) =>
    api.update(await anAccount(api, 'API_KEY'), OAUTH).isRefused(),
  ),
]);

const IN_TIME = group({ about: 'updateConnectedAccount', needs: ['write', 'control'] }, [
  inferred('Without connected_account nothing changes, not even updated_at', ['A7'], async (api) => {
    const { id, updatedAt } = await anAccount(api, 'OAUTH');
    await api.mock.advance('1h');
    await api.send({ body: { id } }).shows({ updated_at: updatedAt, ...OAUTH });
  }),
  inferred('The same credentials again change nothing, and no token is new', ['A7'], async (api) => {
    const account = await anAccount(api, 'VENDORB_DWD');
    const { body } = await api.details(account).succeeds();
    await api.mock.advance('1m');
    await api.update(account, { authorization_details: CREDENTIALS.VENDORB_DWD }).shows({
      updated_at: account.updatedAt,
      token_expires_at: textAt(body, 'connected_account', 'token_expires_at'),
    });
  }),
  ...Object.entries({
    configuration: { api_config: { folder: 'inbox' } },
    credentials: { authorization_details: { oauth_token: { access_token: 'newer' } } },
  }).map(([what, change]) =>
    promised(`updated_at moves on a change of the ${what}`, ['A7'], async (api) => {
      const account = await anAccount(api, 'OAUTH');
      await api.mock.advance('1h');
      await api.update(account, change).shows({ updated_at: not(account.updatedAt) });
    }),
  ),
  inferred('Credentials make even a DISCONNECTED account ACTIVE', ['A7'], async (api) => {
    const account = await anAccount(api, 'OAUTH');
    await api.mock.accounts.disconnect(account.id);
    await api.update(account, OAUTH).shows({ status: 'ACTIVE' });
  }),
]);

const REFUSALS = group({ about: 'updateConnectedAccount' }, [
  promised('An update without an account named is refused', ['A2'], (api) =>
    api.send({ body: { connected_account: { api_config: {} } } }).isRefused('id'),
  ),
  promised('An update of an account that does not exist is not found', ['A3'], async (api) => {
    await api.update({ id: UNKNOWN.account }, {}).isMissing();
    await api.send({ body: { connector: UNKNOWN.connector, identifier: 'nobody' } }).isMissing();
  }),
]);

export const UPDATE_ACCOUNT_CASES: readonly Case[] = [...CHANGES, ...IN_TIME, ...REFUSALS];
