/** The kinds of rows as the console shows them: plain data, which says nothing about how a row is stored. */
import { service } from '../../service/index.ts';
import type { ConsoleSchemas } from './call-types.ts';

export type RowKind = ConsoleSchemas['Kind'];
export type RowKindName = ConsoleSchemas['KindName'];

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** How a status looks. Any other is grey. */
export const TONES: Readonly<Record<string, RowKind['tones'][string]>> = {
  ...{
    ACTIVE: 'good',
    COMPLETED: 'good',
    SUCCESS: 'good',
    OPEN: 'info',
    IN_PROGRESS: 'warn',
    PENDING: 'warn',
  },
  ...{ PENDING_AUTH: 'warn', PENDING_VERIFICATION: 'warn', PENDING_INVITE: 'warn' },
  ...{ EXPIRED: 'bad', FAILED: 'bad', DISCONNECTED: 'bad', INVITE_EXPIRED: 'bad' },
};

type Written = Partial<RowKind> & Pick<RowKind, 'label' | 'one' | 'name'>;

const written: Readonly<Record<RowKindName, Written>> = {
  users: {
    ...{ label: 'Users', one: 'user', group: 'People', name: 'email', about: ['external_id'] },
    columns: ['memberships', 'accounts', 'last_login_time'],
    fields: [
      { name: 'email', required: true },
      { name: 'organizations', pick: 'organizations', many: true, onlyNew: true },
      { name: 'roles', pick: 'roles', many: true, onlyNew: true },
      { name: 'external_id' },
    ],
    shows: ['memberships', 'connected_accounts', 'emails', 'authentication_requests'],
  },
  memberships: {
    ...{ label: 'Organizations and roles', one: 'membership', name: 'user', status: 'membership_status' },
    about: ['organization_id', 'roles'],
    fields: [
      { name: 'user_id', label: 'User', pick: 'users', required: true, onlyNew: true },
      {
        name: 'organization_id',
        label: 'Organization',
        pick: 'organizations',
        required: true,
        onlyNew: true,
      },
      { name: 'roles', pick: 'roles', many: true },
      {
        name: 'send_invitation_email',
        label: 'Invitation by e-mail',
        pick: ['true', 'false'],
        onlyNew: true,
      },
    ],
  },
  organizations: {
    ...{
      label: 'Organizations',
      one: 'organization',
      group: 'People',
      name: 'display_name',
      about: ['name'],
    },
    columns: ['id'],
    fields: [{ name: 'name', required: true }, { name: 'display_name' }],
    shows: ['memberships', 'connected_accounts', 'connections'],
  },
  roles: {
    ...{ label: 'Roles', one: 'role', group: 'People', name: 'name', about: ['display_name'] },
    columns: ['permissions', 'default', 'extends'],
    fields: [
      { name: 'name', required: true },
      { name: 'permissions', many: true },
      { name: 'extends', pick: 'roles', many: true },
      { name: 'default', pick: ['true', 'false'] },
    ],
    shows: ['memberships'],
  },
  emails: {
    ...{ label: 'E-mails', one: 'e-mail', group: 'People', name: 'subject', about: ['to'] },
    columns: ['kind', 'time'],
  },
  authentication_requests: {
    ...{ label: 'Sign-ins', one: 'sign-in', group: 'People', name: 'email', about: ['connection_id'] },
    ...{ status: 'status', columns: ['status', 'timestamp', 'client_name', 'resource_name'] },
    fields: [
      { name: 'email', pick: 'users', required: true },
      { name: 'outcome', pick: ['success', 'failed', 'pending', 'initiated'], required: true },
      { name: 'connection_id', label: 'Connection', pick: 'connections' },
      { name: 'client_id' },
    ],
  },
  connected_accounts: {
    ...{ label: 'Accounts', one: 'account', group: 'Accounts', name: 'identifier', status: 'status' },
    about: ['connector', 'authorization_type'],
    columns: ['status', 'user_id', 'organization_id', 'token_expires_at', 'last_used_at'],
    fields: [
      { name: 'connector', pick: 'connections', required: true },
      { name: 'identifier', pick: 'users', required: true },
      { name: 'organization_id', label: 'Organization', pick: 'organizations' },
      { name: 'user_id', label: 'User', pick: 'users' },
    ],
    shows: ['authorization_links', 'verification_requests'],
  },
  connections: {
    ...{ label: 'Connections', one: 'connection', group: 'Accounts', name: 'key_id', status: 'status' },
    ...{ about: ['type'], columns: ['status', 'enabled', 'provider', 'organization_id'] },
    fields: [
      { name: 'key_id', required: true },
      { name: 'type' },
      { name: 'provider', pick: ['CUSTOM', 'GOOGLE', 'MICROSOFT', 'SALESFORCE', 'OKTA', 'IDP_SIMULATOR'] },
      { name: 'scopes', many: true },
    ],
    actions: [
      { name: 'disable', label: 'Disable', when: { enabled: ['true'] }, set: { enabled: false } },
      { name: 'enable', label: 'Enable', when: { enabled: ['false'] }, set: { enabled: true } },
      {
        ...{ name: 'complete', label: 'COMPLETED', set: { status: 'COMPLETED' } },
        when: { status: ['DRAFT', 'IN_PROGRESS'] },
      },
      {
        ...{ name: 'progress', label: 'IN_PROGRESS', set: { status: 'IN_PROGRESS' } },
        when: { status: ['DRAFT', 'COMPLETED'] },
      },
      {
        ...{ name: 'draft', label: 'DRAFT', set: { status: 'DRAFT' } },
        when: { status: ['IN_PROGRESS', 'COMPLETED'] },
      },
    ],
    shows: ['connected_accounts'],
  },
  custom_providers: {
    ...{
      label: 'Providers',
      one: 'provider',
      group: 'Accounts',
      name: 'display_name',
      about: ['identifier'],
    },
    columns: ['description', 'proxy_url'],
    fields: [
      { name: 'display_name', required: true },
      { name: 'proxy_url', required: true },
      { name: 'description' },
    ],
    shows: ['connections'],
  },
  authorization_links: {
    ...{ label: 'Links and requests', one: 'link', group: 'Accounts', name: 'account', status: 'status' },
    ...{ columns: ['status', 'expires_at', 'user_verify_url'], also: 'verification_requests' },
    fields: [
      { name: 'account', pick: 'connected_accounts', required: true },
      { name: 'user_verify_url' },
      { name: 'state' },
    ],
  },
  verification_requests: {
    ...{ label: 'Verification requests', one: 'request', name: 'account', status: 'status' },
    columns: ['status', 'expires_at', 'state'],
  },
  stubs: {
    ...{ label: 'Stubs', one: 'stub', group: 'Other', name: 'path', about: ['method'] },
    columns: ['status', 'body', 'auth'],
    fields: [
      { name: 'method', pick: METHODS, required: true },
      { name: 'path', required: true },
      { name: 'status' },
    ],
  },
};

/** The service's actions, as the page gets them. */
const actionsOf = (name: string): RowKind['actions'] =>
  (service.actions[name] ?? []).map(({ step: _step, input: _input, when, ...told }) => ({
    ...told,
    ...(when && {
      when: Object.fromEntries(Object.entries(when).map(([member, values]) => [member, [...values]])),
    }),
  }));

export const KINDS = Object.fromEntries(
  Object.entries(written).map(([name, kind]): [string, RowKind] => [
    name,
    { about: [], columns: [], fields: [], actions: actionsOf(name), shows: [], tones: TONES, ...kind },
  ]),
) as Readonly<Record<RowKindName, RowKind>>;

/** Members that tell one call from another, in the order of importance. */
export const TELLING = [
  ...['connector', 'identifier', 'organization_id', 'id', 'user_id', 'external_id', 'email'],
  ...['display_name', 'domain', 'query', 'resource_id'],
];
