/** What a click on a status can lead to, by what the row is now. */
import { call, within } from '../live/api.ts';
import type { MenuItem } from '../parts/menu.tsx';
import { act } from '../parts/notices.tsx';
import type { Row } from './row.ts';
import { textOf } from './row.ts';

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

const decide = async (environment: string, link: string, decision: 'approve' | 'deny'): Promise<void> => {
  const token = link.split('/').at(-1) ?? '';
  await call('POST', within(environment, `/links/${token}/${decision}`));
};

/** Moves of a connected account (behaviour A8, V3). */
export const accountMoves = (environment: string, account: Row): MenuItem[] => {
  const { id, status, identifier } = account;
  const move = (label: string, hint: string, action: string): MenuItem => ({
    label,
    hint,
    choose: () =>
      act(
        call('POST', within(environment, `/connected_accounts/${id}/${action}`)),
        `${identifier}: ${label}.`,
      ),
  });
  const approve = async (): Promise<void> =>
    decide(environment, (await makeLink(environment, id)).link, 'approve');
  return [
    ...(hasPage(account)
      ? [
          {
            label: 'Authorize…',
            hint: 'Open the page a user would see',
            choose: () => openPage(environment, account),
          },
          {
            label: 'Approve',
            hint: 'As a user would, without the page',
            choose: () => act(approve(), `${identifier}: approved.`),
          },
        ]
      : []),
    ...(status === 'EXPIRED' ? [] : [move('Expire', 'The token ends now, refresh is denied', 'expire')]),
    ...(status === 'DISCONNECTED'
      ? []
      : [move('Disconnect', 'The provider cuts the account off', 'disconnect')]),
    account.refresh === 'deny'
      ? move('Grant refresh', 'The provider refreshes again', 'grant')
      : move('Revoke refresh', 'It expires when its token does', 'revoke'),
  ];
};

/** Moves of a membership (behaviour M1, M6-M8). */
export const membershipMoves = (environment: string, membership: Row): MenuItem[] => {
  const { organization_id, user_id, email } = membership;
  const move = (label: string, action: string, hint: string): MenuItem => ({
    label,
    hint,
    choose: () =>
      act(
        call('POST', within(environment, `/memberships/${organization_id}/${user_id}/${action}`)),
        `${email}: ${label}.`,
      ),
  });
  switch (membership.membership_status) {
    case 'PENDING_INVITE':
      return [
        move('Accept', 'accept', 'As on the invitation page'),
        move('Expire', 'expire', 'The invitation ends now'),
        move('Deactivate', 'deactivate', 'The invitation is revoked'),
      ];
    case 'INVITE_EXPIRED':
      return [
        move('Activate', 'activate', 'Let the member in'),
        move('Deactivate', 'deactivate', 'Shut the member out'),
      ];
    case 'ACTIVE':
      return [move('Deactivate', 'deactivate', 'Shut the member out')];
    default:
      return [move('Activate', 'activate', 'Let the member in')];
  }
};

/** Moves of an authorization link that nobody has decided on (behaviour V2, V3). */
export const linkMoves = (environment: string, link: Row): MenuItem[] => {
  if (link.status !== 'OPEN') return [];
  const move = (label: string, decision: 'approve' | 'deny', hint: string): MenuItem => ({
    label,
    hint,
    choose: () =>
      act(decide(environment, textOf(link.link), decision), `${link.identifier}: ${decision} done.`),
  });
  return [move('Approve', 'approve', 'As on the page'), move('Deny', 'deny', 'The account stays as it was')];
};
