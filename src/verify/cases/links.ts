/** Authorization links: for whom there is one, what a user decides on it, and how long there is time to. */
import type { Api } from '../api.ts';
import { type Case, group, inferred, promised } from '../case.ts';
import { aLink, anAccount, VERIFY_URL } from '../given.ts';
import { absent, aText, aTime, someText } from '../pattern.ts';
import { UNKNOWN } from '../samples.ts';

const linking = (api: Api, body: object) =>
  api.call('createMagicLink', { body: { user_verify_url: VERIFY_URL, ...body } });

const MAKING = group({ about: 'createMagicLink', needs: ['write'] }, [
  promised('A link for a user comes with its address and its end', [], (api) =>
    linking(api, { ...api.pair('OAUTH'), state: 'opaque' }).succeeds({
      link: aText(/^https?:\/\//),
      expiry: aTime,
    }),
  ),
  ...(['OAUTH_M2M', 'VENDORA_OAUTH1', 'SMART_FHIR', 'API_KEY', 'BASIC', 'BEARER'] as const).map((type) =>
    inferred(`A connector of type ${type} has a link`, ['V2'], (api) =>
      linking(api, api.pair(type)).succeeds({ link: aText(/^https?:/) }),
    ),
  ),
  ...(['VENDORB_DWD', 'TRUSTED_IDP', 'NO_AUTH'] as const).map((type) =>
    inferred(`A connector of type ${type} needs no user, so it has no link`, ['V2'], (api) =>
      linking(api, api.pair(type)).isRefused('connector'),
    ),
  ),
  inferred('A link for an ACTIVE account leaves it ACTIVE', ['V1'], async (api) => {
    const { id, updatedAt } = await anAccount(api, 'OAUTH');
    await linking(api, { id }).succeeds();
    await api.details({ id }).shows({ status: 'ACTIVE', updated_at: updatedAt });
  }),
  inferred('A link for a pair that has no account makes one in PENDING_AUTH', ['V1'], async (api) => {
    const link = await aLink(api);
    await api.details(link).shows({ status: 'PENDING_AUTH' });
  }),
  inferred('A disabled connection has no links', ['R1'], (api) => {
    const { key_id } = api.connection('a disabled OAUTH connection', { type: 'OAUTH', enabled: false });
    return linking(api, { connector: key_id, identifier: api.unique }).answers(403, {
      error: 'CONNECTION_NOT_ENABLED',
    });
  }),
  inferred(
    'A link for an account, an organization or a user that does not exist is not found',
    ['A2', 'I2'],
    async (api) => {
      await linking(api, { id: UNKNOWN.account }).isMissing();
      const pair = api.pair('OAUTH');
      await linking(api, { ...pair, organization_id: UNKNOWN.organization }).isMissing();
      await linking(api, { ...pair, user_id: UNKNOWN.user }).isMissing();
    },
  ),
]);

const REFUSALS = group({ about: 'createMagicLink' }, [
  promised('A link without an account named is refused', ['A2'], async (api) => {
    await linking(api, {}).isRefused();
    await linking(api, { connector: 'mail' }).isRefused('identifier');
  }),
  promised('A link for an invalid connector is refused', ['A3'], (api) =>
    linking(api, { connector: UNKNOWN.connector, identifier: api.unique }).isRefused('connector'),
  ),
  inferred('user_verify_url is an http or https address', ['I5'], (api) =>
    linking(api, { id: UNKNOWN.account, user_verify_url: 'javascript:alert(1)' }).isRefused(
      'user_verify_url',
    ),
  ),
]);

const DECIDING = group({ about: 'createMagicLink', needs: ['write', 'person'] }, [
  promised(
    'Approving leads to user_verify_url with auth_request_id and state added, and the rest of it kept',
    ['V3'],
    async (api) => {
      const state = 'a state & more';
      const link = await aLink(api, 'OAUTH', { user_verify_url: VERIFY_URL, state });
      await api.open(link.link, 'approve').leadsTo({
        location: 'https://client.test/verified',
        query: { kept: 'yes', state, auth_request_id: aText(/^[A-Za-z0-9_-]{43,}$/) },
      });
      await api.details(link).shows({ status: 'PENDING_VERIFICATION' });
    },
  ),
  promised('Without a state the redirect has none', [], async (api) => {
    const { link } = await aLink(api);
    await api.open(link, 'approve').leadsTo({ query: { auth_request_id: someText, state: absent } });
  }),
  inferred('Denying leads to user_verify_url with an error, and the status stays', ['V3'], async (api) => {
    const link = await aLink(api, 'OAUTH', { user_verify_url: VERIFY_URL, state: 'opaque' });
    await api.open(link.link, 'deny').leadsTo({
      query: {
        error: 'access_denied',
        error_description: someText,
        state: 'opaque',
        auth_request_id: absent,
      },
    });
    await api.details(link).shows({ status: 'PENDING_AUTH' });
  }),
  inferred('The credential form makes an account ACTIVE with no verify step', ['V2', 'V5'], async (api) => {
    const link = await aLink(api, 'API_KEY', { user_verify_url: VERIFY_URL, state: 'opaque' });
    await api.open(link.link, 'approve').leadsTo({
      location: 'https://client.test/verified',
      query: { state: 'opaque', auth_request_id: absent },
    });
    await api.details(link).shows({ status: 'ACTIVE' });
  }),
  inferred('A link is used once', ['V1', 'V2'], async (api) => {
    const { link } = await aLink(api);
    await api.open(link, 'deny').leadsTo({});
    await api.open(link, 'approve').answers(410);
  }),
  inferred('The link of a deleted account is gone', ['A9', 'V2'], async (api) => {
    const link = await aLink(api);
    await api.remove(link).succeeds();
    await api.open(link.link, 'approve').answers(404);
  }),
]);

const AT_ONCE = group({ about: 'getConnectedAccountDetails', needs: ['write', 'person'] }, [
  inferred('Without user_verify_url consent makes the account ACTIVE at once', ['V4'], async (api) => {
    const link = await aLink(api, 'OAUTH', {});
    await api.open(link.link, 'approve').leadsTo({});
    await api.details(link).shows({ status: 'ACTIVE' });
  }),
]);

const IN_TIME = group({ about: 'createMagicLink', needs: ['write', 'control'] }, [
  inferred('A link lasts for 14 minutes', ['V1'], async (api) => {
    const { link } = await aLink(api);
    await api.mock.advance('14m');
    await api.open(link, 'approve').leadsTo({});
  }),
  inferred('A link ends after 15 minutes', ['V1', 'V2'], async (api) => {
    const { link } = await aLink(api);
    await api.mock.advance('15m');
    await api.open(link, 'approve').answers(410);
  }),
  inferred('At the very instant of its end a link has ended', ['T9', 'V1'], async (api) => {
    await api.mock.setClock({ mode: 'frozen' });
    const { link } = await aLink(api);
    await api.mock.advance('15m');
    await api.open(link, 'approve').answers(410);
  }),
  inferred('Opening a link approves at once where the hosted mode says so', ['V5'], async (api) => {
    await api.mock.patchSettings({ hosted: 'approve' });
    const { link } = await aLink(api);
    await api.open(link).leadsTo({ query: { auth_request_id: someText } });
  }),
  inferred(
    'Where verification is demanded, a link without user_verify_url is refused',
    ['V4'],
    async (api) => {
      await api.mock.patchSettings({ user_verification: 'strict' });
      await api.send({ body: api.pair('OAUTH') }).isRefused('user_verify_url');
    },
  ),
]);

export const LINK_CASES: readonly Case[] = [...MAKING, ...REFUSALS, ...DECIDING, ...AT_ONCE, ...IN_TIME];
