/**
 * Connections. Each is either a connector, which holds accounts (its type decides their credentials and pages), or a
 * connection through which an organization's users sign in. It can be used once it is COMPLETED and enabled.
 *
 * Rules: C1 the list, A3 connectors, A5 credentials by type, V2 pages by type.
 */
import { type FieldViolation, invalidArgument, Refusal, requireFound } from '../engine/core/errors.ts';
import { allRows, getRow, putRow, rowsBy, select, takeSelected } from '../engine/core/table.ts';
import { didYouMean } from '../engine/core/text.ts';
import {
  described,
  extend,
  type FormOf,
  listSchema,
  STRING,
  SWITCH,
  TEXT,
  TOKEN,
} from '../engine/scenario/schema.ts';
import { defineReference } from '../engine/scenario/section.ts';
import type { Schemas } from './contract.ts';
import { ORGANIZATION } from './directory.ts';
import { findProvider, nearProvider } from './providers.ts';
import type { AccountRow, ConnectionRow, CredentialsRow, State } from './state.ts';
import {
  contract,
  type Env,
  type NounSection,
  type NounView,
  type Operation,
  type RowAction,
} from './types.ts';

/** Whether the connection can be used. By default, the list of connections shows only such connections. */
export const isUsable = (connection: ConnectionRow): boolean =>
  connection.enabled && connection.status === 'COMPLETED';

export const requireConnection = (state: State, id: string): ConnectionRow =>
  requireFound(
    getRow(state.connections, id),
    `connection ${id}`,
    'GET /api/v1/connections?include=all lists all connections.',
  );

/** A connection for a reply, without the members that only this mock has. A tool server may be a path of this mock. */
export const presentConnection = (
  state: State,
  { serverless: _serverless, scopes: _scopes, mcp_server_url = '', ...connection }: ConnectionRow,
  { baseUrl }: Pick<Env, 'baseUrl'>,
): Schemas['Connection'] => {
  const organization = connection.organization_id && getRow(state.organizations, connection.organization_id);
  return {
    ...connection,
    ...(organization && { organization_name: organization.display_name }),
    mcp_server_url: mcp_server_url.startsWith('/') ? baseUrl + mcp_server_url : mcp_server_url,
  };
};

/** What the type of a connection means for its accounts. */
interface ConnectorKind {
  readonly authorization_type: Schemas['AuthorizationType'];
  /** The only sub-object of `authorization_details` that callers can send. Absent if they must not send any. */
  readonly credentials?: keyof CredentialsRow;
  /** The page that an authorization link opens. Absent if accounts of this type have no link. */
  readonly page?: 'consent' | 'form';
}

const CONNECTOR_KINDS: { readonly [Type in Schemas['ConnectionType']]?: ConnectorKind } = {
  OAUTH: { authorization_type: 'OAUTH', credentials: 'oauth_token', page: 'consent' },
  OAUTH_M2M: { authorization_type: 'OAUTH_M2M', credentials: 'oauth_token', page: 'consent' },
  VENDORA_OAUTH1: { authorization_type: 'VENDORA_OAUTH1', credentials: 'oauth_token', page: 'consent' },
  SMART_FHIR: { authorization_type: 'SMART_FHIR', credentials: 'oauth_token', page: 'consent' },
  API_KEY: { authorization_type: 'API_KEY', credentials: 'static_auth', page: 'form' },
  BASIC: { authorization_type: 'BASIC', credentials: 'static_auth', page: 'form' },
  BEARER: { authorization_type: 'BEARER_TOKEN', credentials: 'static_auth', page: 'form' },
  VENDORB_DWD: { authorization_type: 'VENDORB_DWD', credentials: 'vendorb_dwd' },
  TRUSTED_IDP: { authorization_type: 'TRUSTED_IDP', credentials: 'trusted_idp' },
  NO_AUTH: { authorization_type: 'NO_AUTH' },
};

/** The authorization types of accounts that have a page. */
export const WITH_PAGE: readonly string[] = Object.values(CONNECTOR_KINDS).flatMap((kind) =>
  kind.page ? [kind.authorization_type] : [],
);

/** The kind of a connector; undefined for a connection for sign-in, which has no accounts (behaviour A3). */
export const connectorKind = ({ type }: Pick<ConnectionRow, 'type'>): ConnectorKind | undefined =>
  CONNECTOR_KINDS[type];

export const isConnectorType = (type: unknown): type is Schemas['ConnectionType'] =>
  typeof type === 'string' && Object.hasOwn(CONNECTOR_KINDS, type);

export interface Connector {
  readonly connection: ConnectionRow;
  readonly kind: ConnectorKind;
}

const asConnector = (connection: ConnectionRow | undefined): Connector | undefined => {
  const kind = connection && connectorKind(connection);
  return kind && { connection, kind };
};

/** The connection with this `key_id`, ignoring case (behaviour I6). */
export const findByKeyId = (state: State, name: string): ConnectionRow | undefined =>
  rowsBy(state.connections, 'key_id', name.toLowerCase())[0];

export const CONNECTION = defineReference<ConnectionRow, State>('connections', 'connection', 'key_id');

export const findConnector = (state: State, name: string): Connector | undefined =>
  asConnector(findByKeyId(state, name));

/** Like `requireConnectorOf`, but returns undefined instead of refusing. */
export const connectorOf = (state: State, { connection_id }: AccountRow): Connector | undefined =>
  asConnector(getRow(state.connections, connection_id));

/** The connector of an account. An account always has one: nothing removes it before the account (behaviour X3). */
export const requireConnectorOf = (state: State, account: AccountRow): Connector =>
  requireFound(connectorOf(state, account), `connector ${account.connector}`, '');

/** Explains why a name is not a connector (behaviour A3). */
export const unknownConnector = (state: State, name: string): FieldViolation => {
  const connection = findByKeyId(state, name);
  const connectors = [...allRows(state.connections)].filter(connectorKind).map(({ key_id }) => key_id);
  const description = connection
    ? `Connection ${name} is of type ${connection.type}, which signs users in and holds no accounts. Send the name of a connector instead.`
    : `No connection has the key_id ${name}.${didYouMean(name, connectors)} GET /api/v1/connections?include=all lists all connections.`;
  return { field: 'connector', constraint: 'connector', rule: 'A3', description };
};

/** The connector with this name. @throws Refusal 400 (behaviour A3) */
export const requireConnector = (state: State, name: string): Connector => {
  const connector = findConnector(state, name);
  if (connector) return connector;
  throw invalidArgument([unknownConnector(state, name)]);
};

/** @throws Refusal 403 CONNECTION_NOT_ENABLED if the connection is disabled or not COMPLETED (behaviour R1) */
export const requireUsable = (connection: ConnectionRow): void => {
  if (isUsable(connection)) return;
  const why = connection.enabled ? `is ${connection.status}` : 'is disabled';
  throw new Refusal(
    'PERMISSION_DENIED',
    `Connection ${connection.key_id} ${why}.`,
    'Enable the connection and complete its set-up first, or use another connection.',
    {
      shownCode: 'CONNECTION_NOT_ENABLED',
      rule: 'A3',
      resource: { resource_name: `connection ${connection.key_id}`, description: `It ${why}.` },
    },
  );
};

/** Lists the connections that match every filter; by default, only those that are enabled and COMPLETED. */
export const listConnections: Operation<'listConnections'> = (state, { query }, env) => {
  const { organization_id, domain, include } = query;
  const where = { organization_id, domain: domain?.toLowerCase() };
  const selection = select(state.connections, where, include === 'all' ? undefined : isUsable);
  const found = takeSelected(selection, Number.POSITIVE_INFINITY, 'forward');
  return { status: 200, body: { connections: found.map(({ row }) => presentConnection(state, row, env)) } };
};

const FORM = extend(contract('Connection'), {
  id: TOKEN,
  key_id: contract('ConnectorName'),
  organization_id: ORGANIZATION.schema,
  serverless: described(SWITCH, 'true for a TRUSTED_IDP connection whose accounts need no db_user.'),
  scopes: described(listSchema(TEXT), 'Scopes that the consent page asks for.'),
  mcp_server_url: described(
    STRING,
    'Address of its tool server. A path such as /mcp is a path of this mock.',
  ),
});

type ConnectionForm = FormOf<typeof FORM>;

const DEFAULTS = {
  domains: [],
  enabled: true,
  provider: 'CUSTOM',
  status: 'COMPLETED',
  type: 'OAUTH',
  serverless: false,
  scopes: [],
} satisfies ConnectionForm;

export const connectionsSection: NounSection<'connections', ConnectionForm> = {
  name: 'connections',
  noun: 'connection',
  example: '{ key_id: mail, type: OAUTH }',
  keys: ['key_id'],
  references: { organization_id: ORGANIZATION },
  schema: FORM,
  anyName: ['provider_key'],
  decisive: ['key_id', 'type', 'provider', 'provider_key', 'serverless'],
  names: ({ organization_id, provider, provider_key }) => [
    `organizations/${organization_id}`,
    provider === 'CUSTOM' ? `custom_providers/${provider_key}` : '',
  ],
  toRow: (open, written) => {
    const { organization_name: _, ...form } = written.form;
    const { key_id, provider = DEFAULTS.provider, provider_key = key_id } = form;
    const unnamed = 'a connection needs a key_id, the name that accounts use as their connector';
    if (key_id === undefined || provider_key === undefined) return written.problem(undefined, unnamed);
    const custom = provider === 'CUSTOM' ? findProvider(open.state, provider_key) : undefined;
    const isUnknown = provider === 'CUSTOM' && !custom;
    const meant = isUnknown ? nearProvider(open.state, written.own.provider_key) : undefined;
    const none = `there is no custom provider "${provider_key}". Did you mean "${meant}"?`;
    if (meant !== undefined) written.problem('provider_key', none);
    const type = custom?.auth_patterns?.[0]?.type;
    const row = {
      ...DEFAULTS,
      ...(isConnectorType(type) && { type }),
      ...form,
      id: open.id(form.id, 'conn'),
      key_id,
      provider_key: custom?.identifier ?? provider_key,
    };
    return { ...row, serverless: row.serverless && row.type === 'TRUSTED_IDP' };
  },
  toForm: (state, row) => {
    const organization_name = getRow(state.organizations, row.organization_id ?? '')?.display_name;
    return { ...row, organization_name };
  },
};

export const connectionView: NounView<ConnectionRow> = {
  group: 'Accounts',
  status: 'status',
  about: ['type'],
  tones: { COMPLETED: 'good', IN_PROGRESS: 'warn', DRAFT: 'quiet' },
  columns: ['status', 'enabled', 'provider', 'organization_id'],
  fields: [
    { name: 'key_id', required: true },
    { name: 'type' },
    { name: 'provider' },
    { name: 'scopes', many: true },
  ],
  shows: ['connected_accounts'],
};

const toAction = (
  name: string,
  set: Partial<ConnectionRow>,
  when: Readonly<Record<string, readonly string[]>>,
  label: string,
): RowAction => ({
  name,
  label,
  when,
  step: (state, { id }) => {
    const connection = { ...requireConnection(state, id), ...set };
    return { reply: connection, state: { ...state, connections: putRow(state.connections, connection) } };
  },
});

const STATUSES = ['COMPLETED', 'IN_PROGRESS', 'DRAFT'] as const;

export const connectionActions: readonly RowAction[] = [
  toAction('disable', { enabled: false }, { enabled: ['true'] }, 'Disable'),
  toAction('enable', { enabled: true }, { enabled: ['false'] }, 'Enable'),
  ...STATUSES.map((status) => {
    const when = { status: STATUSES.filter((one) => one !== status) };
    return toAction(status.toLowerCase(), { status }, when, status);
  }),
];
