/** The actions on rows, such as Expire, and on the clock, and the calls that they make. */
import { call, type Row, textOf } from '../live/api.ts';
import { formatInstant } from '../live/clock.ts';
import { type Action, calling } from '../parts/buttons.tsx';
import { act } from '../parts/notices.ts';
import { within } from '../route.ts';

/** Returns the actions on a row, such as Expire. The row's panel shows primary actions as buttons, others in a menu. */
export type Moves = (row: Row) => readonly Action[];

/** @param by a duration, such as `15d` */
export const advancing = (by: string): Action =>
  calling(by, () => call('POST', within('/clock/advance'), { by }), `Clock advanced by ${by}.`);

export const setClock = (mode: string, to: number, done = `The clock shows ${formatInstant(to)}.`) =>
  act(() => call('PUT', within('/clock'), { mode, now: new Date(to).toISOString() }), done);

/** The types of accounts that users authorize on a page, by consent or by entering credentials. */
const WITH_PAGE = ['OAUTH', 'OAUTH_M2M', 'VENDORA_OAUTH1', 'SMART_FHIR', 'API_KEY', 'BASIC', 'BEARER_TOKEN'];

export const hasPage = (account: Row): boolean => WITH_PAGE.includes(textOf(account.authorization_type));

const makeLink = (account: Row): Promise<{ readonly link: string }> =>
  call('POST', within('/links'), { id: account.id });

/** Makes an authorization link for the account, and opens the page of the link in another tab. */
export const openPage = async (account: Row): Promise<void> => {
  // Opens the tab before the call, because browsers block tabs that open some time after the click.
  const tab = window.open('about:blank');
  const made = await act(() => makeLink(account));
  if (!made) return tab?.close();
  if (!tab) return location.assign(made.link);
  tab.opener = null;
  tab.location.replace(made.link);
};

/** Returns the actions on the row called `who`. Choosing an action calls `doing` with the `target` of that action. */
const movesOf = <Target>(
  who: unknown,
  doing: (target: Target) => Promise<unknown>,
  ...moves: (false | readonly [label: string, hint: string, target: Target, flags?: Partial<Action>])[]
): Action[] =>
  moves
    .filter((move) => move !== false)
    .map(([label, hint, target, flags]) => ({
      ...calling(label, () => doing(target), `${label}: done for ${who}.`),
      hint,
      ...flags,
    }));

const decide = (link: string, decision: string): Promise<object> =>
  call('POST', within(`/links/${link.split('/').at(-1)}/${decision}`));

const PRIMARY = { isPrimary: true };

/** Actions on a connected account (behaviour A8, V3). */
export const accountMoves: Moves = (account) => {
  const { id, status, identifier } = account;
  const isActive = status === 'ACTIVE';
  const go = async (to: string): Promise<unknown> =>
    to === 'approve'
      ? decide((await makeLink(account)).link, to)
      : call('POST', within(`/connected_accounts/${id}/${to}`));
  const open = () => openPage(account);
  const hint = 'Opens the page that a user would see';
  const authorize = { label: 'Authorize…', hint, isPrimary: !isActive, choose: open };
  const [main, cut] = [{ isPrimary: isActive }, { isPrimary: isActive, isDangerous: true }];
  const page = hasPage(account);
  const moves = movesOf(
    identifier,
    go,
    page && ['Approve', 'As if the user had approved access', 'approve', { isPrimary: !isActive }],
    status !== 'EXPIRED' && ['Expire', 'The token expires, and refresh is denied', 'expire', main],
    page && status !== 'PENDING_AUTH' && ['Back to pending', 'The user must authorize again', 'pend'],
    account.refresh === 'deny'
      ? ['Grant refresh', 'The provider will allow token refresh again', 'grant']
      : ['Revoke refresh', 'The account will expire with its token', 'revoke'],
    status !== 'DISCONNECTED' && ['Disconnect', 'The provider ends the access', 'disconnect', cut],
  );
  return page ? [authorize, ...moves] : moves;
};

/** Actions on a membership (behaviour M1, M6-M8). */
export const membershipMoves: Moves = (membership) => {
  const { organization_id, user_id, email, membership_status: status } = membership;
  const go = (to: string): Promise<unknown> =>
    call('POST', within(`/memberships/${organization_id}/${user_id}/${to}`));
  const isPending = status === 'PENDING_INVITE';
  const isOpen = isPending || status === 'INVITE_EXPIRED';
  const blocks = isPending ? 'The invitation is revoked' : 'The member loses access';
  const moves = movesOf(
    email,
    go,
    isPending && ['Accept', 'As if the user had accepted the invitation', 'accept', PRIMARY],
    isPending && ['Expire', 'The invitation expires now', 'expire', PRIMARY],
    !isPending && status !== 'ACTIVE' && ['Activate', 'The member gets access', 'activate', PRIMARY],
    !isPending && ['Back to pending', 'With a new invitation, but without an e-mail', 'invite'],
    status !== 'INACTIVE' && [
      'Deactivate',
      blocks,
      'deactivate',
      { isPrimary: !isPending, isDangerous: true },
    ],
  );
  return isOpen ? [resending(membership), ...moves] : moves;
};

/** Sends the invitation of a membership again, by e-mail (behaviour M7). */
export const resending = ({ organization_id, user_id, email }: Row): Action => ({
  ...calling(
    'Resend invitation',
    () => call('POST', within(`/invitations/${organization_id}/${user_id}`)),
    `An e-mail to ${email} is in the outbox.`,
  ),
  hint: 'The user gets an e-mail',
  isPrimary: true,
});

/** Actions on an authorization link that has been neither approved nor denied yet (behaviour V2, V3). */
export const linkMoves: Moves = ({ status, link, identifier }) =>
  movesOf(
    identifier,
    (decision: string) => decide(textOf(link), decision),
    status === 'OPEN' && ['Approve', 'As if the user had approved access', 'approve', PRIMARY],
    status === 'OPEN' && ['Deny', 'The account does not change', 'deny', PRIMARY],
  );

/** Actions that change a connection's setup status, or whether accounts can be created for the connection. */
export const connectionMoves: Moves = ({ id, key_id, status, enabled }) =>
  movesOf<Row>(
    key_id,
    (change) => call('PATCH', within('/state'), { connections: [{ id, ...change }] }),
    enabled
      ? ['Disable', 'New accounts will be refused', { enabled: false }, PRIMARY]
      : ['Enable', 'New accounts will be accepted', { enabled: true }, PRIMARY],
    ...['DRAFT', 'IN_PROGRESS', 'COMPLETED']
      .filter((each) => each !== status)
      .map((each) => [each, 'Changes the setup status', { status: each }] as const),
  );
