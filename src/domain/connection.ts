/** Connections: how organizations sign in, or, as connectors, what accounts are accounts of (behaviour A3, A5, C1, V2). */
import { type FieldViolation, invalidArgument, notFound, Refusal } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import { getRow, rowsBy } from '../core/table.ts';
import type { Schemas } from '../openapi/types.ts';
import type { AccountRow, ConnectionRow, CredentialsRow } from './rows.ts';
import type { State } from './state.ts';

/** Whether accounts and sign-ins can use it; by default only such connections are listed. */
export const isUsable = (connection: ConnectionRow): boolean =>
  connection.enabled && connection.status === 'COMPLETED';

/** @throws Refusal 404 if no connection has this id */
export const requireConnection = (state: State, id: string): ConnectionRow => {
  const connection = getRow(state.connections, id);
  if (!connection)
    throw notFound(`connection ${id}`, 'GET /api/v1/connections?include=all lists those there are.');
  return connection;
};

/** A connection as the contract lists it; what only this mock knows about it is left out. */
export const presentConnection = (
  state: State,
  { serverless: _serverless, scopes: _scopes, ...connection }: ConnectionRow,
): Schemas['Connection'] => {
  const organization = connection.organization_id && getRow(state.organizations, connection.organization_id);
  return {
    ...connection,
    ...(organization && { organization_name: organization.display_name }),
    mcp_server_url: connection.mcp_server_url ?? '',
  };
};

/** What the type of a connection decides about its accounts. */
export interface ConnectorKind {
  readonly authorization_type: Schemas['AuthorizationType'];
  /** The one sub-object of `authorization_details` that fits; absent: none does. */
  readonly credentials?: keyof CredentialsRow;
  /** The page of an authorization link; absent where accounts have no link. */
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

/** What the type decides; undefined for a sign-in type, which holds no accounts (behaviour A3). */
export const connectorKind = ({ type }: Pick<ConnectionRow, 'type'>): ConnectorKind | undefined =>
  CONNECTOR_KINDS[type];

/** Whether a text is the type of a connection that holds accounts. */
export const isConnectorType = (type: string | undefined): type is Schemas['ConnectionType'] =>
  type !== undefined && Object.hasOwn(CONNECTOR_KINDS, type);

/** A connection that accounts can belong to, with what its type decides. */
export interface Connector {
  readonly connection: ConnectionRow;
  readonly kind: ConnectorKind;
}

/** The connector of this name in any case (behaviour I6), if there is one. */
export const findConnector = (state: State, name: string): Connector | undefined => {
  for (const connection of rowsBy(state.connections, 'key_id', name.toLowerCase())) {
    const kind = connectorKind(connection);
    if (kind) return { connection, kind };
  }
  return undefined;
};

/** The connector that an account belongs to, if its connection holds accounts still. */
export const connectorOf = (state: State, { connection_id }: AccountRow): Connector | undefined => {
  const connection = getRow(state.connections, connection_id);
  const kind = connection && connectorKind(connection);
  return kind && { connection, kind };
};

/** The connector that an account belongs to. @throws Refusal 404 if the connection is gone or holds no accounts */
export const requireConnectorOf = (state: State, { connection_id }: AccountRow): Connector => {
  const connection = requireConnection(state, connection_id);
  const kind = connectorKind(connection);
  if (!kind)
    throw notFound(`connector ${connection.key_id}`, `It is of sign-in type ${connection.type} now.`);
  return { connection, kind };
};

/** Behaviour A3: why a name that `findConnector` does not know is refused with 400. */
export const unknownConnector = (state: State, name: string): FieldViolation => {
  const [connection] = rowsBy(state.connections, 'key_id', name.toLowerCase());
  return {
    field: 'connector',
    constraint: 'connector',
    rule: 'A3',
    description: connection
      ? `Connection ${name} is of type ${connection.type}, which signs users in and holds no accounts. Name a connector instead.`
      : `No connection has the key_id ${name}.${didYouMean(name, connectorNames(state))} GET /api/v1/connections lists those there are.`,
  };
};

/** @throws Refusal 400 for a name that no connector has (behaviour A3) */
export const requireConnector = (state: State, name: string): Connector => {
  const connector = findConnector(state, name);
  if (!connector) throw invalidArgument([unknownConnector(state, name)]);
  return connector;
};

/** Every name that a connector has, for messages. */
const connectorNames = (state: State): string[] =>
  Array.from(state.connections.rows.values())
    .filter(connectorKind)
    .map(({ key_id }) => key_id);

/** @throws Refusal 403 CONNECTION_NOT_ENABLED if the connection is disabled or not COMPLETED (behaviour R1) */
export const requireUsable = (connection: ConnectionRow): void => {
  if (isUsable(connection)) return;
  const why = connection.enabled ? `is ${connection.status}` : 'is disabled';
  throw new Refusal(
    'CONNECTION_NOT_ENABLED',
    `Connection ${connection.key_id} ${why}.`,
    'Enable it and complete its set-up first, or use another one.',
    { resource: { resource_name: `connection ${connection.key_id}`, description: `It ${why}.` } },
  );
};
