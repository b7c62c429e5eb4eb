/** The moves that the menu of a status offers, depending on the row. */
import { call, type Row, textOf, within } from '../live/api.ts';
import { type Action, calling } from '../parts/buttons.tsx';
import { act } from '../parts/notices.tsx';

/** The moves of a row. The primary moves are buttons of the row's panel. */
export type Moves = (environment: string, row: Row) => readonly Action[];

/** The types of accounts that users authorize on a page, by consent or by entering credentials. */
const WITH_PAGE = ['OAUTH', 'OAUTH_M2M', 'VENDORA_OAUTH1', 'SMART_FHIR', 'API_KEY', 'BASIC', 'BEARER_TOKEN'];

export const hasPage = (account: Row): boolean => WITH_PAGE.includes(textOf(account.authorization_type));

const makeLink = (environment: string, account: Row): Promise<{ readonly link: string }> =>
  call('POST', within(environment, '/links'), { id: account.id });

/** Opens the page of a new link in another tab, as a user would. */
export const openPage = async (environment: string, account: Row): Promise<void> => {
  // Opens the tab before the call, because browsers block tabs that open some time after the click.
  const tab = window.open('about:blank');
  const made = await act(() => makeLink(environment, account));
  if (!made) return tab?.close();
  if (!tab) return location.assign(made.link);
  tab.opener = null;
  tab.location.replace(made.link);
};

/** The moves of a row; `doing` makes the call of a move from its last member. */
const movesOf = <Target>(
  who: unknown,
  doing: (target: Target) => Promise<unknown>,
  ...moves: (false | readonly [label: string, hint: string, target: Target, flags?: Partial<Action>])[]
): Action[] =>
  moves
    .filter((move) => move !== false)
    .map(([label, hint, target, flags]) => ({
      ...calling(label, () => doing(target), `${who}: ${label}.`),
      hint,
      ...flags,
    }));

const decide = (environment: string, link: string, decision: string): Promise<object> =>
  call('POST', within(environment, `/links/${link.split('/').at(-1)}/${decision}`));

const PRIMARY = { isPrimary: true };
const DANGEROUS = { isDangerous: true };

/** Moves of a connected account (behaviour A8, V3). */
export const accountMoves: Moves = (environment, account) => {
  const { id, status, identifier } = account;
  const isActive = status === 'ACTIVE';
  const go = async (to: string): Promise<unknown> =>
    to === 'approve'
      ? decide(environment, (await makeLink(environment, account)).link, to)
      : call('POST', within(environment, `/connected_accounts/${id}/${to}`));
  const authorize: Action = {
    label: 'Authorize…',
    hint: 'Open the page a user would see',
    isPrimary: !isActive,
    choose: () => openPage(environment, account),
  };
  const moves = movesOf(
    identifier,
    go,
    hasPage(account) && [
      'Approve',
      'Does what a user would do on the page',
      'approve',
      { isPrimary: !isActive },
    ],
    status !== 'EXPIRED' && [
      'Expire',
      'The token expires now, and the provider denies refresh',
      'expire',
      { isPrimary: isActive },
    ],
    status !== 'PENDING_AUTH' &&
      hasPage(account) && [
        'Back to pending',
        'Removes the credentials; a user has to authorize again',
        'pend',
      ],
    account.refresh === 'deny'
      ? ['Grant refresh', 'The provider refreshes again', 'grant']
      : ['Revoke refresh', 'It expires when its token does', 'revoke'],
    status !== 'DISCONNECTED' && [
      'Disconnect',
      'The provider cuts the account off',
      'disconnect',
      { isPrimary: isActive, isDangerous: true },
    ],
  );
  return hasPage(account) ? [authorize, ...moves] : moves;
};

/** Moves of a membership (behaviour M1, M6-M8). */
export const membershipMoves: Moves = (environment, membership) => {
  const { organization_id, user_id, email, membership_status: status } = membership;
  const go = (to: string): Promise<unknown> =>
    call('POST', within(environment, `/memberships/${organization_id}/${user_id}/${to}`));
  if (status === 'PENDING_INVITE')
    return movesOf(
      email,
      go,
      ['Accept', 'Does what Accept on the invitation page does', 'accept', PRIMARY],
      ['Expire', 'The invitation expires now', 'expire', PRIMARY],
      ['Deactivate', 'The invitation is revoked', 'deactivate', DANGEROUS],
    );
  return movesOf(
    email,
    go,
    status !== 'ACTIVE' && ['Activate', 'Let the member in', 'activate', PRIMARY],
    ['Back to pending', 'Invites the user again', 'invite'],
    status !== 'INACTIVE' && ['Deactivate', 'Block the member', 'deactivate', { ...PRIMARY, ...DANGEROUS }],
  );
};

/** Moves of an authorization link that nobody has decided on yet (behaviour V2, V3). */
export const linkMoves: Moves = (environment, { status, link, identifier }) =>
  status !== 'OPEN'
    ? []
    : movesOf(
        identifier,
        (decision: string) => decide(environment, textOf(link), decision),
        ['Approve', 'Does what Approve on the page does', 'approve', PRIMARY],
        ['Deny', 'The account does not change', 'deny', PRIMARY],
      );

/** Moves of a connection: the progress of its setup, and whether accounts can use it. */
export const connectionMoves: Moves = (environment, { id, key_id, status, enabled }) =>
  movesOf<Row>(
    key_id,
    (change) => call('PATCH', within(environment, '/state'), { connections: [{ id, ...change }] }),
    enabled
      ? ['Disable', 'New accounts are refused', { enabled: false }, PRIMARY]
      : ['Enable', 'Accounts can be created', { enabled: true }, PRIMARY],
    ...['DRAFT', 'IN_PROGRESS', 'COMPLETED']
      .filter((each) => each !== status)
      .map((each) => [each, 'Changes the status of its setup', { status: each }] as const),
  );
