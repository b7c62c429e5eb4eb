/** The rows of each section: the contract's members, those that name another row loosened, and what it hides. */
import { isJsonObject, type JsonObject } from '../openapi/document.ts';
import type { SectionName } from './written.ts';

/** Gives a schema of the contract, resolved. */
type FromContract = (name: string) => JsonObject;

const TEXT: JsonObject = { type: 'string', minLength: 1 };
const TEXTS: JsonObject = { type: 'array', items: TEXT };
const SWITCH: JsonObject = { type: 'boolean' };
const TIME_OR_NEVER: JsonObject = { $ref: '#/$defs/TimeOrNever' };
const TOKEN: JsonObject = { type: 'string', minLength: 1, maxLength: 900, pattern: '^[A-Za-z0-9_-]+$' };

const reference = (noun: string, natural: string): JsonObject => ({
  ...TEXT,
  description: `The ${noun}, by id or by ${natural}.`,
});
const ORGANIZATION = reference('organization', 'name');
const CONNECTION = reference('connection', 'key_id');
const USER = reference('user', 'e-mail');
const ACCOUNT_REFERENCE: JsonObject = {
  account: { ...TEXT, description: 'The account, by id or as connector/identifier.' },
  connector: CONNECTION,
  identifier: TEXT,
};

/** Moments that a row can do without. */
const ENDS = [
  ...['token_expires_at', 'last_used_at', 'last_login_time', 'accepted_at', 'join_time'],
  ...['expires_at', 'resent_at', 'expiry', 'last_synced_time'],
];

/** An object with further members; one of the same name replaces. Ends may be `never`. */
const object = (base: JsonObject, more: JsonObject = {}): JsonObject => {
  const properties = isJsonObject(base.properties) ? base.properties : {};
  const ends = ENDS.filter((name) => Object.hasOwn(properties, name)).map((name) => [name, TIME_OR_NEVER]);
  return {
    ...base,
    type: 'object',
    additionalProperties: false,
    properties: { ...properties, ...Object.fromEntries(ends), ...more },
  };
};

const nullable = (schema: JsonObject, description: string): JsonObject => ({
  ...schema,
  type: ['object', 'null'],
  description,
});

const without = (schema: JsonObject, ...names: readonly string[]): JsonObject => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(isJsonObject(schema.properties) ? schema.properties : {}).filter(
      ([name]) => !names.includes(name),
    ),
  ),
});

const member = (schema: JsonObject, name: string): JsonObject => {
  const held = isJsonObject(schema.properties) ? schema.properties[name] : undefined;
  return isJsonObject(held) ? held : {};
};

export const rowSchemas = (contract: FromContract): Readonly<Record<SectionName, JsonObject>> => ({
  clients: object({}, { client_id: TEXT, client_secret: TEXT, name: TEXT, scope: { type: 'string' } }),
  organizations: object({}, { id: contract('OrganizationId'), name: TEXT, display_name: TEXT }),
  roles: object(contract('Role'), {
    id: TOKEN,
    name: TEXT,
    permissions: TEXTS,
    extends: {
      type: ['string', 'array'],
      minLength: 1,
      items: TEXT,
      description: 'Roles, by id or by name.',
    },
    default: { ...SWITCH, description: 'Given to a member for whom no role is named (M2).' },
  }),
  custom_providers: providerSchema(contract),
  connections: object(contract('Connection'), {
    id: TOKEN,
    key_id: contract('ConnectorName'),
    organization_id: ORGANIZATION,
    serverless: { ...SWITCH, description: 'A TRUSTED_IDP connection that needs no db_user (A6).' },
    scopes: { ...TEXTS, description: 'What a consent page asks for.' },
  }),
  users: userSchema(contract),
  connected_accounts: accountSchema(contract),
  authorization_links: object(
    {},
    {
      token: TOKEN,
      ...ACCOUNT_REFERENCE,
      state: member(contract('CreateMagicLinkRequest'), 'state'),
      user_verify_url: member(contract('CreateMagicLinkRequest'), 'user_verify_url'),
      expires_at: TIME_OR_NEVER,
      used_at: TIME_OR_NEVER,
    },
  ),
  verification_requests: object(
    {},
    {
      auth_request_id: TOKEN,
      ...ACCOUNT_REFERENCE,
      state: member(contract('CreateMagicLinkRequest'), 'state'),
      expires_at: TIME_OR_NEVER,
      authorization_details: credentialsSchema(contract),
      token_expires_at: TIME_OR_NEVER,
    },
  ),
  authentication_requests: object(contract('AuthenticationRequest'), {
    auth_request_id: TOKEN,
    organization_id: ORGANIZATION,
    connection_id: CONNECTION,
  }),
});

const providerSchema = (contract: FromContract): JsonObject => {
  const limits = contract('UpdateCustomProviderRequest').properties;
  const icon_src = { type: 'string', pattern: '^(https://\\S+)?$' };
  return object(contract('CustomProvider'), {
    icon_src,
    ...(isJsonObject(limits) ? limits : {}),
    id: TOKEN,
    identifier: TEXT,
  });
};

const userSchema = (contract: FromContract): JsonObject => {
  const user = contract('User');
  const { items: identity } = member(contract('UserProfile'), 'external_identities');
  const profile = object(contract('UserProfile'), {
    id: TOKEN,
    external_identities: {
      type: 'array',
      items: object(isJsonObject(identity) ? identity : {}, { connection_id: CONNECTION }),
    },
  });
  return object(user, {
    external_id: contract('ExternalId'),
    user_profile: nullable(profile, 'null for a user without one; made up where left out.'),
    memberships: { type: 'array', items: membershipSchema(contract) },
  });
};

const membershipSchema = (contract: FromContract): JsonObject => {
  const roleReference = contract('RoleReference');
  const invite = object(without(contract('Invite'), 'organization_id', 'user_id'), {
    status: { enum: ['pending', 'accepted', 'expired', 'revoked'] },
    token: TOKEN,
    ended_tokens: { type: 'array', items: TOKEN },
  });
  return object(contract('Membership'), {
    organization_id: ORGANIZATION,
    name: { ...TEXT, description: 'The organization, by name; instead of organization_id.' },
    roles: {
      type: 'array',
      items: { ...roleReference, type: ['string', 'object'], description: 'A role, by id or by name.' },
    },
    groups: { ...TEXTS, description: 'Groups the user is in through this organization.' },
    invite: nullable(invite, 'The invitation; null for a member that never had one.'),
    remove: { type: 'boolean' },
  });
};

/** Temporary secrets may stand in a file that was pasted, and are never kept (A5). */
const credentialsSchema = (contract: FromContract): JsonObject => {
  const details = contract('AuthorizationDetails');
  return object(details, {
    vendorb_dwd: object(contract('VendorbDwd')),
    trusted_idp: object(contract('TrustedIdp'), {
      secret_access_key: { type: 'string', description: 'Never kept.' },
      session_token: { type: 'string', description: 'Never kept.' },
    }),
  });
};

const accountSchema = (contract: FromContract): JsonObject =>
  object(contract('ConnectedAccount'), {
    connection_id: CONNECTION,
    connector: CONNECTION,
    identifier: contract('AccountIdentifier'),
    organization_id: ORGANIZATION,
    user_id: USER,
    authorization_details: credentialsSchema(contract),
    refresh: { enum: ['grant', 'deny'], description: 'Whether the provider would still refresh (A8).' },
    standing: {
      enum: ['ACTIVE', 'PENDING_AUTH', 'DISCONNECTED'],
      description: 'With status PENDING_VERIFICATION or EXPIRED: what the account is beneath (V6, A8).',
    },
  });
