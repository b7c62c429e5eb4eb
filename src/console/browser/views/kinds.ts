/** The kinds of rows: the columns of their tables, the fields of their forms, and the actions on a row. */
import { type KindName, type Row, textOf } from '../live/api.ts';
import { accountMoves, connectionMoves, linkMoves, type Moves, membershipMoves } from './moves.ts';

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

export const nameOf = ({ name }: KindView, row: Row): string => textOf(row[name]);

export const aboutOf = ({ about }: KindView, row: Row): string =>
  about.map((member) => textOf(row[member])).join(' · ');

export const oneOf = ({ title, one = title.toLowerCase().slice(0, -1) }: KindView): string => one;

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
