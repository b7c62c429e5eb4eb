/** Steps on connected accounts, their links and verification: every operation and every control action. */
import { expect } from '@jest/globals';
import fc from 'fast-check';
import * as accounts from '../model/accounts.ts';
import * as authorization from '../model/authorization.ts';
import { choose, command, isChosen, listAccounts, picks, type Run, requireShown, settle } from '../run.ts';
import { CREDENTIAL, FORBIDDEN } from '../scenario.ts';
import type { Answer } from '../twins.ts';

const PATH = '/api/v1/connected_accounts';

const words = (text: string) => fc.constantFrom(...text.split(' '));
/** Connectors that allow more kinds of steps come more often. */
const connector = words(
  'mail mail mail crm crm crm workspace workspace warehouse warehouse lakehouse lakehouse weather weather Mail paused login nowhere',
);
const identifier = fc.constantFrom('ada@acme.test', 'grace@acme.test', 'Ünï 😀');
const organization_id = words('- - - - - - org_acme org_globex org_nobody').map((id) =>
  id === '-' ? undefined : id,
);
const pair = { connector, identifier, organization_id };
const sent = words('none none wrong fitting fitting refreshable refreshable') as fc.Arbitrary<accounts.Sent>;
const configs = [{}, { folder: 'inbox' }, { folder: 'sent', deep: { list: [1, null] } }];
const config = fc.constantFrom<object>(...configs);

/** An account: the number by which `choose` picks its id, or its connector and identifier. */
const one = fc.oneof(
  { arbitrary: fc.record({ pick: picks, organization_id }), weight: 4 },
  { arbitrary: fc.record(pair), weight: 1 },
);
type One = accounts.Address & { pick?: number };

const addressOf = (run: Run, { pick, ...address }: One): accounts.Address =>
  pick === undefined ? address : { ...address, id: chooseAccount(run, pick) };

const chooseAccount = (run: Run, pick: number): string => {
  const living = run.world.accounts.map(({ id }) => id);
  return choose(run, 'ca', living, pick);
};

/** Credentials that a caller sends, together with members that the mock drops or never shows (behaviour A5). */
const credentials = (run: Run, name: string | undefined, what: accounts.Sent): object => {
  const nth = run.steps; // each step sends new credentials, since the same ones again would change nothing
  const { type } = accounts.connectorOf(name) ?? {};
  if (what === 'none') return {};
  if ((type === 'API_KEY') !== (what === 'wrong'))
    return { static_auth: { details: { api_key: `${CREDENTIAL}key-${nth}` } } };
  const secret = { access_token: FORBIDDEN, secret_access_key: FORBIDDEN, session_token: FORBIDDEN };
  if (what !== 'wrong' && type === 'VENDORB_DWD')
    return { vendorb_dwd: { subject: `subject-${nth}`, ...secret } };
  if (what !== 'wrong' && type === 'TRUSTED_IDP')
    return { trusted_idp: { db_user: `user_${nth}`, access_key_id: FORBIDDEN, ...secret } };
  const refresh = what === 'refreshable' && { refresh_token: `${CREDENTIAL}refresh-${nth}` };
  return { oauth_token: { access_token: `${CREDENTIAL}access-${nth}`, ...refresh } };
};

const create = command('create', fc.record({ ...pair, sent, config }), async (run, given) => {
  const { sent: what, config: api_config, ...address } = given;
  const authorization_details = credentials(run, address.connector, what);
  const body = { ...address, connected_account: { api_config, authorization_details } };
  const answer = await run.twins.call('POST', PATH, { body, mayShowCredentials: true });
  const id = answer.body?.connected_account?.id;
  const status = accounts.create(run.world, address, what, structuredClone(api_config), id);
  if (settle(answer, status)) requireShown(run, answer, id);
  return status === 201;
});

const update = command('update', fc.record({ one, sent, config }), async (run, given) => {
  const { sent: what, config: api_config } = given;
  const address = addressOf(run, given.one);
  const account = accounts.find(run.world, address);
  const authorization_details = credentials(run, account?.connector, what);
  const body = { ...address, connected_account: { api_config, authorization_details } };
  const answer = await run.twins.call('PUT', PATH, { body, mayShowCredentials: true });
  const isDone = settle(answer, accounts.update(run.world, address, what, api_config));
  if (isDone && account) requireShown(run, answer, account.id);
  return isDone;
});

const remove = command('delete', one, async (run, given) => {
  const address = addressOf(run, given);
  const answer = await run.twins.call('POST', `${PATH}:delete`, { body: address });
  return settle(answer, accounts.remove(run.world, address));
});

const read = command('read', fc.record({ one, isAuth: fc.boolean() }), async (run, given) => {
  const address = JSON.parse(JSON.stringify(addressOf(run, given.one))); // drops undefined members
  const path = `${PATH}/${given.isAuth ? 'auth' : 'details'}?${new URLSearchParams(address)}`;
  const answer = await run.twins.call('GET', path, { mayShowCredentials: given.isAuth });
  const account = accounts.find(run.world, address);
  if (!settle(answer, account ? 200 : 404) || !account) return false;
  const showsCredentials = given.isAuth && accounts.handOut(run.world, account);
  requireShown(run, answer, account.id);
  const details = answer.body.connected_account.authorization_details;
  expect(details !== undefined).toBe(showsCredentials);
  return given.isAuth;
});

const act = command(
  'account action',
  fc.record({ pick: picks, action: words('expire disconnect revoke grant') }),
  async (run, { pick, action }) => {
    const id = chooseAccount(run, pick);
    const answer = await run.twins.control('POST', `/connected_accounts/${id}/${action}`);
    return settle(answer, accounts.act(run.world, id, action));
  },
);

const RETURN = 'https://app.acme.test/return?kept=1';

const makeLink = command('link', fc.record({ one, returns: fc.boolean() }), async (run, given) => {
  const address = addressOf(run, given.one);
  const body = { ...address, state: 's&=', ...(given.returns && { user_verify_url: RETURN }) };
  const answer = await run.twins.call('POST', `${PATH}/magic_link`, { body });
  const token = answer.body?.link?.split('/').at(-1) ?? '';
  const newest = (await listAccounts(run.twins, 100)).at(-1);
  return settle(answer, authorization.makeLink(run.world, address, given.returns, token, String(newest?.id)));
});

const chooseLink = (run: Run, pick: number): string =>
  choose(run, 'link', Object.keys(run.world.links), pick);
const hasLink = ({ world }: Run, { pick }: { pick: number }): boolean => isChosen(world.links, pick);

/** Decides on a link by the control plane, by a visit of the link, or by posting the form of its page. */
const decideBy = ({ twins }: Run, way: string, token: string, decision: string): Promise<Answer> => {
  const path = `/magicLink/${token}`;
  if (way === 'control') return twins.control('POST', `/links/${token}/${decision}`);
  if (way === 'visit') return twins.call('GET', `${path}?decision=${decision}`, { token: null });
  return twins.call('POST', path, { body: new URLSearchParams({ decision }), token: null });
};

const decide = command(
  'decide',
  fc.record({
    pick: picks,
    decision: words('approve approve approve deny'),
    way: words('control visit post'),
  }),
  async (run, { pick, decision, way }) => {
    const token = chooseLink(run, pick);
    const answer = await decideBy(run, way, token, decision);
    const url: string = (way === 'control' ? answer.body?.redirect_url : answer.location) || 'none:';
    const { origin, searchParams } = new URL(url, 'http://mock.test');
    const id = searchParams.get('auth_request_id') ?? '';
    // Behaviour V3: the redirect to the application keeps the query and the `state` that the link was made with.
    if (origin === new URL(RETURN).origin) expect(url).toMatch(/\?kept=1&.*state=s%26%3D/);
    const request = authorization.openRequest(run.world, token);
    if (request && way === 'post' && decision === 'approve') {
      expect(id).toBe(request);
      settle(answer, 302);
      return false;
    }
    const status = authorization.decide(run.world, token, decision, id);
    // The page answers with a redirect if the control plane would answer 200.
    return settle(answer, status === 200 && way !== 'control' ? 302 : status);
  },
  hasLink,
);

const verify = command(
  'verify',
  fc.record({ pick: picks, isRight: fc.constantFrom(true, true, false) }),
  async (run, { pick, isRight }) => {
    const { world, twins } = run;
    const id = choose(run, 'request', Object.keys(world.requests), pick);
    const account = accounts.find(world, { id: world.requests[id]?.account ?? '' });
    const user = isRight && account ? account.identifier : 'somebody@else.test';
    const answer = await twins.call('POST', `${PATH}/user/verify`, {
      body: { auth_request_id: id, identifier: user },
    });
    return settle(answer, authorization.verify(world, id, user));
  },
  ({ world }, { pick }) => isChosen(world.requests, pick),
);

export const ACCOUNT_COMMANDS = [create, update, remove, read, act, makeLink, decide, verify];
