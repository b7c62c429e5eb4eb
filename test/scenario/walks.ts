/** Random walks of an environment: operations, what users and providers do, and moves of the clock. */
import fc from 'fast-check';
import { Refusal } from '../../src/core/errors.ts';
import { allRows, getRow } from '../../src/core/table.ts';
import type { Settings } from '../../src/domain/settings.ts';
import type { State } from '../../src/domain/state.ts';
import type { OperationId } from '../../src/openapi/types.ts';
import { actOnAccount } from '../../src/simulation/account-actions.ts';
import { approve, deny, submitCredentials } from '../../src/simulation/link-decision.ts';
import { acceptInvitation, moveMembership } from '../../src/simulation/memberships.ts';
import { signIn } from '../../src/simulation/sign-in.ts';
import { ACTIONS } from '../support/accounts.ts';
import { call, DAY, MINUTE, type Options, simulate } from '../support/core.ts';

/** Where a walk has come to. */
export interface Place {
  readonly state: State;
  readonly now: number;
  readonly start: number;
  readonly settings: Settings;
}

/** A step: what it does, and numbers that choose among the rows there are. */
type Step = readonly [kind: string, which: number, how: number];

const of = <Item>(items: readonly Item[] | Iterable<Item>, n: number): Item | undefined => {
  const list = [...items];
  return list[n % Math.max(list.length, 1)];
};

const choice = <const Item>(items: readonly Item[], n: number): Item => items[n % items.length] as Item; // never empty

const DETAILS = [
  undefined,
  { oauth_token: { access_token: 'a', refresh_token: 'r' } },
  { oauth_token: { access_token: 'a' } },
  { oauth_token: { refresh_token: 'r' } },
  { static_auth: { details: { api_key: 'k' } } },
  { vendorb_dwd: { subject: 's' } },
  { trusted_idp: { db_user: 'd' } },
];
const FIELDS = new Map(Object.entries({ api_key: 'k', username: 'u', password: 'p' }));
const LABELS = [
  {},
  { organization_id: 'tenant-7' },
  { organization_id: 'org_100000000000000001', user_id: 'someone' },
];

const api = (operation: OperationId, input: object) => (state: State, options: Options) =>
  (call(state, operation, input as never, options) as { readonly state: State }).state;

const act =
  <Given>(simulation: Parameters<typeof simulate<Given, unknown>>[1], given: Given) =>
  (state: State, options: Options) =>
    simulate(state, simulation, given, options).state;

const step = ({ state }: Place, [kind, which, how]: Step) => {
  const account = of(allRows(state.connected_accounts), which);
  const accountId = account?.id ?? 'ca_0';
  const user = of(allRows(state.users), which);
  const organization = of(allRows(state.organizations), how);
  const connector = of(allRows(state.connections), which)?.key_id ?? 'mail';
  const provider = of(allRows(state.custom_providers), which);
  const link = of(allRows(state.authorization_links), which)?.token ?? '';
  const request = of(allRows(state.verification_requests), which);
  const details = { authorization_details: of(DETAILS, how), api_config: { how } };
  const member = { id: user?.id ?? '', organization_id: organization?.id ?? '' };
  const membership = of(allRows(state.memberships), which);
  const invited = { user_id: membership?.user_id ?? '', organization_id: membership?.organization_id ?? '' };
  const name = {
    display_name: `Wiki ${which}`,
    proxy_url: 'https://a.test',
    auth_patterns: [{ type: 'BASIC' }],
  };
  const steps: Readonly<Record<string, (state: State, options: Options) => State>> = {
    create: api('createConnectedAccount', {
      body: { connector, identifier: `new-${how}`, ...of(LABELS, how), connected_account: details },
    }),
    update: api('updateConnectedAccount', {
      body: { id: accountId, connected_account: details },
    }),
    delete: api('deleteConnectedAccount', { body: { id: accountId } }),
    auth: api('getConnectedAccountAuth', { query: { id: accountId } }),
    link: api('createMagicLink', {
      body: {
        connector: account?.connector ?? 'mail',
        identifier: account?.identifier ?? 'new-0',
        user_verify_url: 'http://a.test',
      },
    }),
    verify: api('verifyConnectedAccountUser', {
      body: {
        auth_request_id: request?.auth_request_id ?? 'none',
        identifier: getRow(state.connected_accounts, request?.account_id ?? '')?.identifier,
      },
    }),
    approve: act(approve, { token: link }),
    deny: act(deny, { token: link }),
    fill: act(submitCredentials, { token: link, fields: FIELDS }),
    act: act(actOnAccount, { id: accountId, action: choice(ACTIONS, how) }),
    join: api('createMembership', {
      path: member,
      query: { send_invitation_email: how % 2 === 0 },
      body: {},
    }),
    change: api('updateMembership', {
      path: { ...invited, id: invited.user_id },
      body: { metadata: { team: String(how) } },
    }),
    leave: api('deleteMembership', { path: { ...invited, id: invited.user_id } }),
    resend: api('resendInvite', { path: { ...invited, id: invited.user_id } }),
    accept: act(acceptInvitation, { token: membership?.invite?.token ?? '' }),
    move: act(moveMembership, {
      ...invited,
      action: choice(['accept', 'expire', 'deactivate', 'activate'], how),
    }),
    offer: api('createCustomProvider', { body: name }),
    rename: api('updateCustomProvider', { path: { identifier: provider?.identifier ?? '' }, body: name }),
    drop: api('deleteCustomProvider', { path: { identifier: provider?.identifier ?? '' } }),
    signIn: act(signIn, {
      email: user?.email ?? 'nobody@a.test',
      connection_id: of(allRows(state.connections), how)?.id,
      outcome: choice(['success', 'failed', 'pending'], how),
    }),
  };
  return steps[kind];
};

const KINDS =
  'create update delete auth link verify approve deny fill act join change leave resend accept move offer rename drop signIn'.split(
    ' ',
  );

const number = fc.nat({ max: 40 });

/** One to fifty steps; every third moves the clock. */
export const walks: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.tuple(
    fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...KINDS) }, fc.constant('wait')),
    number,
    number,
  ),
  { minLength: 1, maxLength: 50, size: 'max' },
);

const WAITS = [0, 1, 5 * MINUTE, 20 * MINUTE, 2 * 60 * MINUTE, DAY, 20 * DAY];

/** @param taken counts the steps that were not refused */
export const walk = (from: Place, steps: readonly Step[], taken: Map<string, number>): Place => {
  let place = from;
  for (const each of steps) {
    const [kind, which] = each;
    if (kind === 'wait') place = { ...place, now: place.now + (of(WAITS, which) ?? 0) };
    else {
      const { now, start, settings } = place;
      try {
        place = {
          ...place,
          state: step(place, each)?.(place.state, { now, start, settings }) ?? place.state,
        };
        taken.set(kind, (taken.get(kind) ?? 0) + 1);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
      }
    }
  }
  return place;
};
