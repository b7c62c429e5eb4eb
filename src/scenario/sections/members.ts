/** Parts of the JSON schemas of rows: the contract's members, those that name another row loosened, ends that may be `never`. */
import { isJsonObject, type JsonObject } from '../../openapi/document.ts';

/** Gives a schema of the contract by name, resolved. */
export type FromContract = (name: string) => JsonObject;

/** The members of a type, none of them required. */
export type Some<Type> = { readonly [Member in keyof Type]?: Exclude<Type[Member], undefined> };

export const TEXT: JsonObject = { type: 'string', minLength: 1 };
export const TEXTS: JsonObject = { type: 'array', items: TEXT };
export const SWITCH: JsonObject = { type: 'boolean' };
export const TIME_OR_NEVER: JsonObject = { $ref: '#/$defs/TimeOrNever' };
export const TOKEN: JsonObject = {
  type: 'string',
  minLength: 1,
  maxLength: 900,
  pattern: '^[A-Za-z0-9_-]+$',
  'x-expected': 'letters, digits, "-" and "_"',
};

/** Moments that a row can do without. */
const ENDS = [
  ...['token_expires_at', 'last_used_at', 'last_login_time', 'accepted_at', 'join_time'],
  ...['expires_at', 'resent_at', 'expiry', 'last_synced_time'],
];

/** An object with further members; one of the same name replaces. Ends may be `never`. */
export const object = (base: JsonObject, more: JsonObject = {}): JsonObject => {
  const properties = propertiesOf(base);
  const ends = ENDS.filter((name) => Object.hasOwn(properties, name)).map((name) => [name, TIME_OR_NEVER]);
  return {
    ...base,
    type: 'object',
    additionalProperties: false,
    properties: { ...properties, ...Object.fromEntries(ends), ...more },
  };
};

export const nullable = (schema: JsonObject, description: string): JsonObject => ({
  ...schema,
  type: ['object', 'null'],
  description,
});

export const propertiesOf = ({ properties }: JsonObject): JsonObject =>
  isJsonObject(properties) ? properties : {};

export const memberOf = (schema: JsonObject, name: string): JsonObject => {
  const member = propertiesOf(schema)[name];
  return isJsonObject(member) ? member : {};
};
