/** The moves that the menu of a status offers, depending on the row. */
import { call, type Row, textOf, within } from '../live/api.ts';
import { type Action, calling } from '../parts/actions.tsx';
import { act } from '../parts/notices.tsx';

/** The moves of a row. The primary moves are buttons of the row's panel. */
export type Moves = (environment: string, row: Row) => readonly Action[];

/** The types of accounts that users authorize on a page, by consent or by entering credentials. */
const WITH_PAGE = new Set([
  ...['OAUTH', 'OAUTH_M2M', 'VENDORA_OAUTH1', 'SMART_FHIR', 'API_KEY', 'BASIC', 'BEARER_TOKEN'],
]);

export const hasPage = (account: Row): boolean => WITH_PAGE.has(textOf(account.authorization_type));

interface NewLink {
  readonly link: string;
}

const makeLink = (environment: string, id: unknown): Promise<NewLink> =>
  call('POST', within(environment, '/links'), { id });

/** Opens the page of a new link in another tab, as a user would. */
export const openPage = async (environment: string, account: Row): Promise<void> => {
  // Opens the tab before the call, because browsers block tabs that open some time after the click.
  const tab = window.open('about:blank');
  const made = await act(() => makeLink(environment, account.id));
  if (!made) {
    tab?.close();
    return;
  }
  if (!tab) {
    location.assign(made.link);
    return;
  }
  tab.opener = null;
  tab.location.replace(made.link);
};

const move = (who: unknown, label: string, hint: string, doing: () => Promise<unknown>): Action => ({
  ...calling(label, doing, `${who}: ${label}.`),
  hint,
});

const decide = (environment: string, link: string, decision: 'approve' | 'deny'): Promise<object> =>
  call('POST', within(environment, `/links/${link.split('/').at(-1)}/${decision}`));

/** Moves of a connected account (behaviour A8, V3). */
export const accountMoves: Moves = (environment, account) => {
  const { id, status, identifier } = account;
  const isActive = status === 'ACTIVE';
  const to = (label: string, hint: string, action: string): Action =>
    move(identifier, label, hint, () =>
      call('POST', within(environment, `/connected_accounts/${id}/${action}`)),
    );
  const approve = async (): Promise<object> =>
    decide(environment, (await makeLink(environment, id)).link, 'approve');
  const authorize = {
    label: 'Authorize…',
    hint: 'Open the page a user would see',
    isPrimary: !isActive,
    choose: () => openPage(environment, account),
  };
  const moves: (Action | false)[] = [
    hasPage(account) && authorize,
    hasPage(account) && {
      ...move(identifier, 'Approve', 'Does what a user would do on the page', approve),
      isPrimary: !isActive,
    },
    status !== 'EXPIRED' && {
      ...to('Expire', 'The token expires now, and the provider denies refresh', 'expire'),
      isPrimary: isActive,
    },
    status !== 'PENDING_AUTH' &&
      hasPage(account) &&
      to('Back to pending', 'Removes the credentials; a user has to authorize again', 'pend'),
    account.refresh === 'deny'
      ? to('Grant refresh', 'The provider refreshes again', 'grant')
      : to('Revoke refresh', 'It expires when its token does', 'revoke'),
    status !== 'DISCONNECTED' && {
      ...to('Disconnect', 'The provider cuts the account off', 'disconnect'),
      isPrimary: isActive,
      isDangerous: true,
    },
  ];
  return moves.filter((item) => item !== false);
};

/** Moves of a membership (behaviour M1, M6-M8). */
export const membershipMoves: Moves = (environment, membership) => {
  const { organization_id, user_id, email, membership_status } = membership;
  const to = (label: string, action: string, hint: string): Action =>
    move(email, label, hint, () =>
      call('POST', within(environment, `/memberships/${organization_id}/${user_id}/${action}`)),
    );
  const activate = { ...to('Activate', 'activate', 'Let the member in'), isPrimary: true };
  const deactivate = {
    ...to('Deactivate', 'deactivate', 'Block the member'),
    isPrimary: true,
    isDangerous: true,
  };
  const invite = to('Back to pending', 'invite', 'Invites the user again');
  switch (membership_status) {
    case 'PENDING_INVITE':
      return [
        { ...to('Accept', 'accept', 'Does what Accept on the invitation page does'), isPrimary: true },
        { ...to('Expire', 'expire', 'The invitation expires now'), isPrimary: true },
        { ...to('Deactivate', 'deactivate', 'The invitation is revoked'), isDangerous: true },
      ];
    case 'INVITE_EXPIRED':
      return [activate, invite, deactivate];
    case 'ACTIVE':
      return [invite, deactivate];
    default:
      return [activate, invite];
  }
};

/** Moves of an authorization link that nobody has decided on yet (behaviour V2, V3). */
export const linkMoves: Moves = (environment, { status, link, identifier }) => {
  const decideBy = (label: string, hint: string, decision: 'approve' | 'deny'): Action => ({
    ...move(identifier, label, hint, () => decide(environment, textOf(link), decision)),
    isPrimary: true,
  });
  if (status !== 'OPEN') return [];
  return [
    decideBy('Approve', 'Does what Approve on the page does', 'approve'),
    decideBy('Deny', 'The account does not change', 'deny'),
  ];
};

/** Moves of a connection: the progress of its setup, and whether accounts can use it. */
export const connectionMoves: Moves = (environment, { id, key_id, status, enabled }) => {
  const to = (label: string, hint: string, change: Row): Action =>
    move(key_id, label, hint, () =>
      call('PATCH', within(environment, '/state'), { connections: [{ id, ...change }] }),
    );
  const statuses = CONNECTION_STATUSES.filter((each) => each !== status);
  return [
    enabled
      ? { ...to('Disable', 'New accounts are refused', { enabled: false }), isPrimary: true }
      : { ...to('Enable', 'Accounts can be created', { enabled: true }), isPrimary: true },
    ...statuses.map((each) => to(each, 'Changes the status of its setup', { status: each })),
  ];
};

const CONNECTION_STATUSES = ['DRAFT', 'IN_PROGRESS', 'COMPLETED'];
