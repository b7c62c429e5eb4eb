/** The kinds of rows: the columns of their tables, the fields of their forms, and their moves. */
import { type KindName, type Row, textOf } from '../live/api.ts';
import { accountMoves, connectionMoves, linkMoves, type Moves, membershipMoves } from './moves.ts';

export interface KindView {
  readonly title: string;
  /** The name of one row, such as "connected account". */
  readonly one: string;
  /** The members that identify a row; default: its id. */
  readonly key?: readonly string[];
  /** The member that names a row, and the members that the line below the name shows. */
  readonly name: string;
  readonly about: readonly string[];
  /** The other columns of the table. A small screen shows only the first of them. */
  readonly columns: readonly string[];
  readonly moves?: Moves;
  /** Members that the form for a row shows first. Without this, the kind has no form. */
  readonly form?: readonly string[];
  /** Members that every new row needs. The schema of scenarios cannot say so: its rows may change a row that exists. */
  readonly required?: readonly string[];
  /** The operation and path of the call that makes a row, for kinds whose rows cannot be written into the state. */
  readonly made?: readonly [operation: string, path: string];
}

/** The id of a row in the address. */
export const idOf = ({ key = ['id'] }: KindView, row: Row): string =>
  key.map((member) => textOf(row[member])).join(key.includes('path') ? ' ' : '/');

/** The kinds, in the order in which the navigation and the overview show them. */
export const KINDS: Readonly<Record<KindName, KindView>> = {
  connected_accounts: {
    title: 'Accounts',
    one: 'account',
    name: 'identifier',
    about: ['connector', 'authorization_type'],
    columns: ['status', 'token_expires_at', 'last_used_at', 'updated_at', 'id'],
    moves: accountMoves,
    form: ['connector', 'identifier', 'user_id', 'organization_id', 'token_expires_at'],
    required: ['connector', 'identifier'],
  },
  users: {
    title: 'Users',
    one: 'user',
    name: 'email',
    about: ['external_id'],
    columns: ['memberships', 'last_login_time', 'id'],
    form: ['email', 'external_id', 'user_profile', 'metadata'],
    required: ['email'],
  },
  memberships: {
    title: 'Memberships',
    one: 'membership',
    key: ['organization_id', 'user_id'],
    name: 'email',
    about: ['display_name'],
    columns: ['membership_status', 'roles', 'join_time', 'expires_at'],
    moves: membershipMoves,
    form: ['user_id', 'organization_id', 'roles'],
    required: ['user_id', 'organization_id'],
  },
  connections: {
    title: 'Connections',
    one: 'connection',
    name: 'key_id',
    about: ['type'],
    columns: ['status', 'enabled', 'provider', 'organization_name', 'id'],
    moves: connectionMoves,
    form: ['key_id', 'type', 'enabled', 'scopes'],
    required: ['key_id'],
  },
  custom_providers: {
    title: 'Custom providers',
    one: 'custom provider',
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
    made: ['createLink', '/links'],
  },
  verification_requests: {
    title: 'Verification requests',
    one: 'verification request',
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
    made: ['signIn', '/sign-ins'],
  },
  organizations: {
    title: 'Organizations',
    one: 'organization',
    name: 'display_name',
    about: ['name'],
    columns: ['id'],
    form: ['name', 'display_name'],
    required: ['name'],
  },
  roles: {
    title: 'Roles',
    one: 'role',
    name: 'display_name',
    about: ['name'],
    columns: ['default', 'permissions', 'id'],
    form: ['name', 'permissions', 'default'],
    required: ['name'],
  },
  stubs: {
    title: 'Stubs',
    one: 'stub',
    key: ['method', 'path'],
    name: 'path',
    about: ['method'],
    columns: ['status', 'body', 'auth'],
    form: ['method', 'path', 'status', 'body'],
    required: ['method', 'path'],
  },
};
