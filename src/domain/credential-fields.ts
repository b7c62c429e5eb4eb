/**
 * The fields of a credential form: listed by a custom provider, else decided by the connection's type (behaviour V2).
 */

import { rowsBy } from '../core/table.ts';
import type { Schemas } from '../openapi/types.ts';
import type { ConnectionRow } from './rows.ts';
import type { State } from './state.ts';

export interface CredentialField {
  /** The member of `static_auth.details` that stores the field's value. */
  readonly name: string;
  readonly label: string;
  /** Whether the page hides the field's value like a password. */
  readonly secret: boolean;
  readonly required: boolean;
}

const field = (name: string, label: string, secret: boolean): CredentialField => ({
  name,
  label,
  secret,
  required: true,
});

const FIELDS_BY_TYPE: { readonly [Type in Schemas['ConnectionType']]?: readonly CredentialField[] } = {
  API_KEY: [field('api_key', 'API key', true)],
  BASIC: [field('username', 'User name', false), field('password', 'Password', true)],
  BEARER: [field('token', 'Token', true)],
};

/**
 * The fields of a credential form. A custom provider may list them under `fields` in its pattern for the connection's
 * type; otherwise the type decides. An item may have `name` (or `field_name`), `label`, `input_type` and `required`;
 * an item without a name is left out.
 */
export const credentialFields = (state: State, connection: ConnectionRow): readonly CredentialField[] => {
  const own = patternFields(state, connection);
  return own.length > 0 ? own : (FIELDS_BY_TYPE[connection.type] ?? []);
};

const patternFields = (
  state: State,
  { provider, provider_key, type }: ConnectionRow,
): readonly CredentialField[] => {
  if (provider !== 'CUSTOM') return [];
  const [custom] = rowsBy(state.custom_providers, 'identifier', provider_key);
  const pattern = custom?.auth_patterns?.find((each) => each.type === type);
  return Array.isArray(pattern?.fields) ? pattern.fields.flatMap(readField) : [];
};

const readField = (item: unknown): CredentialField[] => {
  if (typeof item !== 'object' || item === null) return [];
  const { name, field_name, label, input_type, required } = item as Record<string, unknown>; // an object may be read with any names
  const given = typeof name === 'string' ? name : field_name;
  if (typeof given !== 'string' || given === '') return [];
  return [
    {
      name: given,
      label: typeof label === 'string' ? label : given,
      secret: input_type === 'password',
      required: required !== false,
    },
  ];
};
