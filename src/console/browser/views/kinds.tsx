/** The kinds of rows: what their tables show, and what can be done to a row. */
import type { ComponentChildren } from 'preact';
import { type KindName, type Row, rowsOf, textOf } from '../live/api.ts';
import { type Concern, onControl } from '../live/environment.tsx';
import { ICONS } from '../parts/icons.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import {
  accountMoves,
  connectionMoves,
  hasPage,
  linkMoves,
  type Moves,
  membershipMoves,
  openPage,
} from './moves.ts';

interface Column {
  readonly title: string;
  cell(row: Row, environment: string): ComponentChildren;
  /** Left out on a small screen. */
  readonly isWide?: true;
}

export interface KindView {
  readonly title: string;
  /** What one row is called. */
  readonly one: string;
  /** What tells a row from the others, and what it is called. */
  id(row: Row): string;
  name(row: Row): string;
  /** A second line below the name. */
  about(row: Row): string;
  readonly columns: readonly Column[];
  readonly moves?: Moves;
  /** Members that the form for a row shows first; without it there is no form. */
  readonly form?: readonly string[];
  /** The call that makes a row that is not simply written into the state: operation and path. */
  readonly made?: readonly [operation: string, path: string];
  /** Events that may change what the table shows, by the beginnings of their names. */
  readonly changedBy?: readonly string[];
}

/** Events after which rows of this kind are read again. */
export const concernOf =
  ({ changedBy = [] }: KindView): Concern =>
  (happened) =>
    onControl(happened) ||
    (happened.event === 'change' && changedBy.some((name) => String(happened.data.type).startsWith(name)));

const wide = (title: string, cell: Column['cell']): Column => ({ title, isWide: true, cell });

/** A long value is cut, and whole in its title. */
const text = (title: string, member: string): Column =>
  wide(title, (row) => {
    const value = textOf(row[member]);
    return value === '' ? <span class="quiet">–</span> : <Cut text={value} />;
  });

const Cut = ({ text: value }: { readonly text: string }) => (
  <span class="cut" title={value}>
    {value}
  </span>
);

const code = (title: string, member: string): Column =>
  wide(title, (row) => (
    <code class="cut" title={textOf(row[member])}>
      {textOf(row[member])}
    </code>
  ));

const time = (title: string, member: string): Column => wide(title, (row) => <Time value={row[member]} />);

const status = (member: string, name: (row: Row) => string, moves?: Moves): Column => ({
  title: 'Status',
  cell: (row, environment) => (
    <Status status={textOf(row[member])} of={name(row)} moves={moves?.(environment, row) ?? []} />
  ),
});

const identifier = (row: Row): string => textOf(row.identifier);
const email = (row: Row): string => textOf(row.email);
const id = (row: Row): string => textOf(row.id);

const plainAccountStatus = status('status', identifier, accountMoves);
const accountStatus: Column = {
  title: 'Status',
  cell: (row, environment) => (
    <div class="cluster">
      {plainAccountStatus.cell(row, environment)}
      {row.status !== 'ACTIVE' && hasPage(row) && (
        <button
          type="button"
          class="small"
          aria-label={`Authorize ${identifier(row)}`}
          onClick={() => openPage(environment, row)}
        >
          Authorize {ICONS.open}
        </button>
      )}
    </div>
  ),
};

const memberships = wide('Memberships', ({ memberships: all }) => (
  <div class="cluster">
    {rowsOf(all).map((one) => (
      <span key={textOf(one.name)} class="tag">
        {textOf(one.name)} <small>{textOf(one.membership_status)}</small>
      </span>
    ))}
  </div>
));

const pageLink: Column = {
  title: 'Page',
  cell: ({ link, identifier: of }) => (
    <a href={textOf(link)} target="_blank" rel="noopener" aria-label={`Open the page of ${textOf(of)}`}>
      Open {ICONS.open}
    </a>
  ),
};

/** The names of rows within a row. */
const names = (rows: unknown, member: string): string =>
  rowsOf(rows)
    .map((row) => textOf(row[member]))
    .join(', ');

export const KINDS: Readonly<Record<KindName, KindView>> = {
  connected_accounts: {
    title: 'Accounts',
    one: 'account',
    form: ['connector', 'identifier', 'user_id', 'organization_id', 'token_expires_at'],
    changedBy: ['connected_account', 'verification_request', 'authorization_link'],
    id,
    name: identifier,
    about: (row) => `${textOf(row.connector)} · ${textOf(row.authorization_type)}`,
    columns: [
      accountStatus,
      time('Token ends', 'token_expires_at'),
      time('Last used', 'last_used_at'),
      time('Updated', 'updated_at'),
      code('Id', 'id'),
    ],
    moves: accountMoves,
  },
  users: {
    title: 'Users',
    one: 'user',
    form: ['email', 'external_id', 'user_profile', 'metadata'],
    changedBy: ['user', 'membership', 'invite', 'authentication_request'],
    id,
    name: email,
    about: (row) => textOf(row.external_id),
    columns: [memberships, time('Last login', 'last_login_time'), code('Id', 'id')],
  },
  memberships: {
    title: 'Memberships',
    one: 'membership',
    form: ['user_id', 'organization_id', 'roles'],
    changedBy: ['membership', 'invite', 'user'],
    id: (row) => `${textOf(row.organization_id)}/${textOf(row.user_id)}`,
    name: email,
    about: (row) => textOf(row.display_name),
    columns: [
      status('membership_status', email, membershipMoves),
      wide('Roles', ({ roles }) => names(roles, 'name')),
      time('Joined', 'join_time'),
      time('Invitation ends', 'expires_at'),
    ],
    moves: membershipMoves,
  },
  connections: {
    title: 'Connections',
    one: 'connection',
    form: ['key_id', 'type', 'enabled', 'scopes'],
    id,
    name: (row) => textOf(row.key_id),
    about: (row) => textOf(row.type),
    columns: [
      status('status', (row) => textOf(row.key_id), connectionMoves),
      { title: 'Enabled', cell: ({ enabled }) => (enabled ? 'yes' : 'no') },
      text('Provider', 'provider'),
      text('Organization', 'organization_name'),
      code('Id', 'id'),
    ],
    moves: connectionMoves,
  },
  custom_providers: {
    title: 'Custom providers',
    one: 'custom provider',
    form: ['display_name', 'auth_patterns', 'description', 'proxy_url'],
    changedBy: ['custom_provider'],
    id,
    name: (row) => textOf(row.display_name),
    about: (row) => textOf(row.identifier),
    columns: [
      { title: 'Patterns', cell: ({ auth_patterns }) => names(auth_patterns, 'type') },
      text('Description', 'description'),
      text('Proxy', 'proxy_url'),
    ],
  },
  authorization_links: {
    title: 'Authorization links',
    one: 'link',
    form: ['id', 'user_verify_url', 'state'],
    made: ['createLink', '/links'],
    changedBy: ['authorization_link', 'verification_request'],
    id: (row) => textOf(row.token),
    name: identifier,
    about: (row) => textOf(row.connector),
    columns: [
      status('status', identifier, linkMoves),
      pageLink,
      time('Ends', 'expires_at'),
      text('Goes back to', 'user_verify_url'),
    ],
    moves: linkMoves,
  },
  verification_requests: {
    title: 'Verification requests',
    one: 'verification request',
    changedBy: ['verification_request', 'connected_account'],
    id: (row) => textOf(row.auth_request_id),
    name: identifier,
    about: (row) => textOf(row.connector),
    columns: [
      status('status', identifier),
      time('Ends', 'expires_at'),
      code('auth_request_id', 'auth_request_id'),
    ],
  },
  authentication_requests: {
    title: 'Sign-in log',
    one: 'sign-in',
    form: ['email', 'outcome', 'connection_id', 'client_id'],
    made: ['signIn', '/sign-ins'],
    changedBy: ['authentication_request'],
    id: (row) => textOf(row.auth_request_id),
    name: email,
    about: (row) => textOf(row.connection_type),
    columns: [
      status('status', email),
      { ...time('When', 'timestamp'), cell: ({ timestamp }) => <Time value={timestamp} /> },
      text('Client', 'client_name'),
      text('Resource', 'resource_name'),
    ],
  },
  stubs: {
    title: 'Stubs',
    one: 'stub',
    form: ['method', 'path', 'status', 'body'],
    id: ({ method, path }) => `${textOf(method)} ${textOf(path)}`,
    name: (row) => textOf(row.path),
    about: (row) => textOf(row.method),
    columns: [
      { title: 'Status', cell: ({ status: code }) => textOf(code) },
      wide('Reply', ({ body }) => <Cut text={JSON.stringify(body) ?? ''} />),
      { title: 'Token', cell: ({ auth }) => (auth ? 'needed' : 'not needed') },
    ],
  },
  organizations: {
    title: 'Organizations',
    one: 'organization',
    form: ['name', 'display_name'],
    id,
    name: (row) => textOf(row.display_name),
    about: (row) => textOf(row.name),
    columns: [code('Id', 'id')],
  },
  roles: {
    title: 'Roles',
    one: 'role',
    form: ['name', 'permissions', 'default'],
    id,
    name: (row) => textOf(row.display_name),
    about: (row) => textOf(row.name),
    columns: [
      { title: 'Default', cell: (row) => (row.default ? 'yes' : 'no') },
      {
        title: 'Permissions',
        cell: ({ permissions }) => (Array.isArray(permissions) ? permissions.join(', ') : ''),
      },
      code('Id', 'id'),
    ],
  },
};
