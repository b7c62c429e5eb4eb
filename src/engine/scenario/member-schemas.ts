/** Builds JSON schemas for members of rows. The TypeScript type of a schema includes the type of its values. */
import type { JsonObject } from '../core/object.ts';

declare const VALUE: unique symbol;

/** A JSON schema whose TypeScript type includes the type of its values. */
export type MemberSchema<Value = unknown> = JsonObject & { readonly [VALUE]?: Value };

export type ValueOf<Schema> = Schema extends { readonly [VALUE]?: infer Value }
  ? Exclude<Value, undefined>
  : never;

/** What every row of a scenario can have besides its members. */
export type RowControl = { readonly repeat?: number; readonly remove?: boolean };

/** The type of a row in a scenario. @param Schema the schema of this kind of row */
export type FormOf<Schema> = RowControl & ValueOf<Schema>;

type Some<Type> = { readonly [Name in keyof Type]?: Exclude<Type[Name], undefined> };

type MemberSchemas = Readonly<Record<string, MemberSchema>>;
type ValuesOf<More extends MemberSchemas> = Some<{ [Name in keyof More]: ValueOf<More[Name]> }>;

/** A `STRING` may be empty, but a `TEXT` may not. */
export const STRING: MemberSchema<string> = { type: 'string' };
export const TEXT: MemberSchema<string> = { type: 'string', minLength: 1 };
export const WHOLE: MemberSchema<number> = { type: 'integer', minimum: 0 };
export const SWITCH: MemberSchema<boolean> = { type: 'boolean' };
export const TIME_OR_NEVER: MemberSchema<string> = { $ref: '#/$defs/TimeOrNever' };
export const TOKEN: MemberSchema<string> = {
  type: 'string',
  minLength: 1,
  maxLength: 900,
  pattern: '^[A-Za-z0-9_-]+$',
  'x-expected': 'letters, digits, "-" and "_"',
};
/** The schema of a member that the contract has but a scenario must not have. */
export const NONE: MemberSchema<never> = { not: {} };

export const oneOf = <Choice extends string>(...choices: readonly Choice[]): MemberSchema<Choice> => ({
  enum: choices,
});

export const listSchema = <Item>(items: MemberSchema<Item>): MemberSchema<readonly Item[]> => ({
  type: 'array',
  items,
});

export const nullable = <Value>(
  schema: MemberSchema<Value>,
  description: string,
): MemberSchema<Value | null> => ({
  ...schema,
  type: ['object', 'null'],
  description,
});

export const described = <Schema extends MemberSchema>(schema: Schema, description: string): Schema => ({
  ...schema,
  description,
});

/** Refers to a schema of a contract, or to the schema of one of its members. @param Schemas the types of the schemas */
export const contractOf = <Schemas extends object>() => {
  function contract<Name extends keyof Schemas & string>(name: Name): MemberSchema<Schemas[Name]>;
  function contract<Name extends keyof Schemas & string, Of extends keyof Schemas[Name] & string>(
    name: Name,
    member: Of,
  ): MemberSchema<Exclude<Schemas[Name][Of], undefined>>;
  function contract(name: string, member?: string): MemberSchema {
    return { $ref: `#/components/schemas/${name}${member === undefined ? '' : `/properties/${member}`}` };
  }
  return contract;
};

export const object = <More extends MemberSchemas>(properties: More): MemberSchema<ValuesOf<More>> => ({
  type: 'object',
  additionalProperties: false,
  properties,
});

/** Adds members to an object schema. New members replace members of the same name when schema.ts merges the `allOf`. */
export const extend = <Base, More extends MemberSchemas>(
  base: MemberSchema<Base>,
  properties: More,
): MemberSchema<Some<Omit<Base, keyof More>> & ValuesOf<More>> => ({ allOf: [base, { properties }] });
