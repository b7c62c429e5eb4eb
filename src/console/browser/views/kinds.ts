/** The kinds of rows: the columns of their tables, the fields of their forms, and the actions on a row. */
import { call, type KindName, type Row, textOf, within } from '../live/api.ts';
import { type Action, calling } from '../parts/buttons.tsx';
import { act } from '../parts/notices.ts';

export interface KindView {
  readonly title: string;
  /** What a single row is called; default: the title without its last letter. */
  readonly one?: string;
  /** The members that identify a row; default: its id. */
  readonly key?: readonly string[];
  /** The member that a table shows as the name of the row. Below the name, the table shows the members in `about`. */
  readonly name: string;
  readonly about: readonly string[];
  /** The columns after the name column. A small screen shows only the first of these. */
  readonly columns: readonly string[];
  readonly moves?: Moves;
  /** Members that the form for a row shows first. Without this, the kind has no form. */
  readonly form?: readonly string[];
  /**
   * Members that a new row must have. In the scenario schema they are optional: a change to a row may omit them. Without
   * this, the rows of the kind cannot be edited.
   */
  readonly required?: readonly string[];
  /** The call that creates a row. Absent if the form sends new rows to `PATCH .../state`. */
  readonly createdBy?: readonly [operation: string, path: string];
}

/** The id that stands for a row in the page's address. */
export const idOf = ({ key = ['id'] }: KindView, row: Row): string =>
  key.map((member) => textOf(row[member])).join(key.includes('path') ? ' ' : '/');

export const oneOf = ({ title, one = title.toLowerCase().slice(0, -1) }: KindView): string => one;

/** Returns the actions on a row, such as Expire. The row's panel shows primary actions as buttons, others in a menu. */
type Moves = (environment: string, row: Row) => readonly Action[];

/** The types of accounts that users authorize on a page, by consent or by entering credentials. */
const WITH_PAGE = ['OAUTH', 'OAUTH_M2M', 'VENDORA_OAUTH1', 'SMART_FHIR', 'API_KEY', 'BASIC', 'BEARER_TOKEN'];

export const hasPage = (account: Row): boolean => WITH_PAGE.includes(textOf(account.authorization_type));

const makeLink = (environment: string, account: Row): Promise<{ readonly link: string }> =>
  call('POST', within(environment, '/links'), { id: account.id });

/** Makes an authorization link for the account, and opens the page of the link in another tab. */
export const openPage = async (environment: string, account: Row): Promise<void> => {
  // Opens the tab before the call, because browsers block tabs that open some time after the click.
  const tab = window.open('about:blank');
  const made = await act(() => makeLink(environment, account));
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

const decide = (environment: string, link: string, decision: string): Promise<object> =>
  call('POST', within(environment, `/links/${link.split('/').at(-1)}/${decision}`));

const PRIMARY = { isPrimary: true };

/** Actions on a connected account (behaviour A8, V3). */
const accountMoves: Moves = (environment, account) => {
  const { id, status, identifier } = account;
  const isActive = status === 'ACTIVE';
  const go = async (to: string): Promise<unknown> =>
    to === 'approve'
      ? decide(environment, (await makeLink(environment, account)).link, to)
      : call('POST', within(environment, `/connected_accounts/${id}/${to}`));
  const open = () => openPage(environment, account);
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
const membershipMoves: Moves = (environment, membership) => {
  const { organization_id, user_id, email, membership_status: status } = membership;
  const go = (to: string): Promise<unknown> =>
    call('POST', within(environment, `/memberships/${organization_id}/${user_id}/${to}`));
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
  return isOpen ? [resending(environment, membership), ...moves] : moves;
};

/** Sends the invitation of a membership again, by e-mail (behaviour M7). */
export const resending = (environment: string, { organization_id, user_id, email }: Row): Action => ({
  ...calling(
    'Resend invitation',
    () => call('POST', within(environment, `/invitations/${organization_id}/${user_id}`)),
    `An e-mail to ${email} is in the outbox.`,
  ),
  hint: 'The user gets an e-mail',
  isPrimary: true,
});

/** Actions on an authorization link that has been neither approved nor denied yet (behaviour V2, V3). */
const linkMoves: Moves = (environment, { status, link, identifier }) =>
  movesOf(
    identifier,
    (decision: string) => decide(environment, textOf(link), decision),
    status === 'OPEN' && ['Approve', 'As if the user had approved access', 'approve', PRIMARY],
    status === 'OPEN' && ['Deny', 'The account does not change', 'deny', PRIMARY],
  );

/** Actions that change a connection's setup status, or whether accounts can be created for the connection. */
const connectionMoves: Moves = (environment, { id, key_id, status, enabled }) =>
  movesOf<Row>(
    key_id,
    (change) => call('PATCH', within(environment, '/state'), { connections: [{ id, ...change }] }),
    enabled
      ? ['Disable', 'New accounts will be refused', { enabled: false }, PRIMARY]
      : ['Enable', 'New accounts will be accepted', { enabled: true }, PRIMARY],
    ...['DRAFT', 'IN_PROGRESS', 'COMPLETED']
      .filter((each) => each !== status)
      .map((each) => [each, 'Changes the setup status', { status: each }] as const),
  );

/** The kinds, in the order in which the navigation shows them. */
export const KINDS: Readonly<Record<KindName, KindView>> = {
  connected_accounts: {
    title: 'Accounts',
    name: 'identifier',
    about: ['connector', 'authorization_type'],
    columns: ['status', 'token_expires_at', 'last_used_at', 'updated_at', 'id'],
    moves: accountMoves,
    form: ['connector', 'identifier', 'user_id', 'organization_id', 'token_expires_at'],
    required: ['connector', 'identifier'],
  },
  users: {
    title: 'Users',
    name: 'email',
    about: ['external_id'],
    columns: ['memberships', 'last_login_time', 'id'],
    form: ['email', 'external_id', 'user_profile', 'metadata'],
    required: ['email'],
  },
  memberships: {
    title: 'Memberships',
    key: ['organization_id', 'user_id'],
    name: 'email',
    about: ['display_name'],
    columns: ['membership_status', 'roles', 'join_time', 'expires_at'],
    moves: membershipMoves,
    form: ['user_id', 'organization_id', 'roles', 'send_invitation_email'],
    required: ['user_id', 'organization_id'],
    createdBy: ['inviteMember', '/invitations'],
  },
  connections: {
    title: 'Connections',
    name: 'key_id',
    about: ['type'],
    columns: ['status', 'enabled', 'provider', 'organization_name', 'id'],
    moves: connectionMoves,
    form: ['key_id', 'type', 'enabled', 'scopes'],
    required: ['key_id'],
  },
  custom_providers: {
    title: 'Custom providers',
    name: 'display_name',
    about: ['identifier'],
    columns: ['auth_patterns', 'description', 'proxy_url'],
    form: ['display_name', 'auth_patterns', 'description', 'proxy_url'],
    required: ['display_name', 'proxy_url'],
  },
  authorization_links: {
    title: 'Authorization links',
    one: 'link',
    key: ['token'],
    name: 'identifier',
    about: ['connector'],
    columns: ['status', 'link', 'expires_at', 'user_verify_url'],
    moves: linkMoves,
    form: ['id', 'user_verify_url', 'state'],
    createdBy: ['createLink', '/links'],
  },
  verification_requests: {
    title: 'Verification requests',
    key: ['auth_request_id'],
    name: 'identifier',
    about: ['connector'],
    columns: ['status', 'expires_at', 'auth_request_id'],
  },
  authentication_requests: {
    title: 'Sign-in log',
    one: 'sign-in',
    key: ['auth_request_id'],
    name: 'email',
    about: ['connection_type'],
    columns: ['status', 'timestamp', 'client_name', 'resource_name'],
    form: ['email', 'outcome', 'connection_id', 'client_id'],
    createdBy: ['signIn', '/sign-ins'],
  },
  organizations: {
    title: 'Organizations',
    name: 'display_name',
    about: ['name'],
    columns: ['id'],
    form: ['name', 'display_name'],
    required: ['name'],
  },
  roles: {
    title: 'Roles',
    name: 'display_name',
    about: ['name'],
    columns: ['default', 'permissions', 'id'],
    form: ['name', 'permissions', 'default'],
    required: ['name'],
  },
  stubs: {
    title: 'Stubs',
    key: ['method', 'path'],
    name: 'path',
    about: ['method'],
    columns: ['status', 'body', 'auth'],
    form: ['method', 'path', 'status', 'body'],
    required: ['method', 'path'],
  },
};
