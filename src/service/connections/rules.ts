/** Two kinds of connections: those for sign-in, and connectors, which have accounts (behaviour A3, A5, C1, V2). */

import { type FieldViolation, invalidArgument, Refusal, requireFound } from '../../engine/core/errors.ts';
import { allRows, getRow, rowsBy } from '../../engine/core/table.ts';
import { didYouMean } from '../../engine/core/text.ts';
import type { AccountRow, CredentialsRow } from '../accounts/row.ts';
import type { Schemas } from '../contract.ts';
import type { Env } from '../operation.ts';
import type { State } from '../state.ts';
import type { ConnectionRow } from './row.ts';

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
  return {
    field: 'connector',
    constraint: 'connector',
    rule: 'A3',
    description: connection
      ? `Connection ${name} is of type ${connection.type}, which signs users in and holds no accounts. Send the name of a connector instead.`
      : `No connection has the key_id ${name}.${didYouMean(name, connectors)} GET /api/v1/connections?include=all lists all connections.`,
  };
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
      ...{ shownCode: 'CONNECTION_NOT_ENABLED', rule: 'A3' },
      resource: { resource_name: `connection ${connection.key_id}`, description: `It ${why}.` },
    },
  );
};
