/** What a click on a status can lead to, by what the row is now. */
import { call, type Row, textOf, within } from '../live/api.ts';
import type { Action } from '../parts/actions.tsx';
import { act } from '../parts/notices.tsx';

export type Moves = (environment: string, row: Row) => readonly Action[];

/** Account types whose credentials a user brings, and which therefore have a page. */
const WITH_PAGE = new Set([
  'OAUTH',
  'OAUTH_M2M',
  'VENDORA_OAUTH1',
  'SMART_FHIR',
  'API_KEY',
  'BASIC',
  'BEARER_TOKEN',
]);

export const hasPage = (account: Row): boolean => WITH_PAGE.has(textOf(account.authorization_type));

interface NewLink {
  readonly link: string;
}

const makeLink = (environment: string, id: unknown): Promise<NewLink> =>
  call('POST', within(environment, '/links'), { id });

/** Opens the page of a new link in another tab, as a user would who was sent there. */
export const openPage = async (environment: string, account: Row): Promise<void> => {
  // Opened before the call: a tab that comes later than the click is blocked by browsers.
  const tab = window.open('about:blank');
  const made = await act(makeLink(environment, account.id));
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

/** A move of somebody, done by a call. */
const move = (who: unknown, label: string, hint: string, doing: () => Promise<unknown>): Action => ({
  label,
  hint,
  choose: () => act(doing(), `${who}: ${label}.`),
});

const decide = (environment: string, link: string, decision: 'approve' | 'deny'): Promise<object> =>
  call('POST', within(environment, `/links/${link.split('/').at(-1)}/${decision}`));

/** Moves of a connected account (behaviour A8, V3). */
export const accountMoves: Moves = (environment, account) => {
  const { id, status, identifier } = account;
  const to = (label: string, hint: string, action: string): Action =>
    move(identifier, label, hint, () =>
      call('POST', within(environment, `/connected_accounts/${id}/${action}`)),
    );
  const approve = async (): Promise<object> =>
    decide(environment, (await makeLink(environment, id)).link, 'approve');
  const authorize = {
    label: 'Authorize…',
    hint: 'Open the page a user would see',
    choose: () => openPage(environment, account),
  };
  return [
    hasPage(account) && authorize,
    hasPage(account) && move(identifier, 'Approve', 'As a user would, without the page', approve),
    status !== 'EXPIRED' && to('Expire', 'The token ends now, refresh is denied', 'expire'),
    status !== 'DISCONNECTED' && to('Disconnect', 'The provider cuts the account off', 'disconnect'),
    account.refresh === 'deny'
      ? to('Grant refresh', 'The provider refreshes again', 'grant')
      : to('Revoke refresh', 'It expires when its token does', 'revoke'),
  ].filter((item) => item !== false);
};

/** Moves of a membership (behaviour M1, M6-M8). */
export const membershipMoves: Moves = (environment, membership) => {
  const { organization_id, user_id, email } = membership;
  const to = (label: string, action: string, hint: string): Action =>
    move(email, label, hint, () =>
      call('POST', within(environment, `/memberships/${organization_id}/${user_id}/${action}`)),
    );
  const activate = to('Activate', 'activate', 'Let the member in');
  const deactivate = to('Deactivate', 'deactivate', 'Shut the member out');
  switch (membership.membership_status) {
    case 'PENDING_INVITE':
      return [
        to('Accept', 'accept', 'As on the invitation page'),
        to('Expire', 'expire', 'The invitation ends now'),
        to('Deactivate', 'deactivate', 'The invitation is revoked'),
      ];
    case 'INVITE_EXPIRED':
      return [activate, deactivate];
    case 'ACTIVE':
      return [deactivate];
    default:
      return [activate];
  }
};

/** Moves of an authorization link that is not decided on (behaviour V2, V3). */
export const linkMoves: Moves = (environment, { status, link, identifier }) =>
  status !== 'OPEN'
    ? []
    : [
        move(identifier, 'Approve', 'As on the page', () => decide(environment, textOf(link), 'approve')),
        move(identifier, 'Deny', 'The account stays as it was', () =>
          decide(environment, textOf(link), 'deny'),
        ),
      ];
