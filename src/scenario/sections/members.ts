/** Members of forms: each is its JSON schema, and by its type what a file may say there, so that neither is written twice. */
import type { JsonObject } from '../../openapi/document.ts';
import type { Schemas } from '../../openapi/types.ts';

declare const VALUE: unique symbol;

/** The JSON schema of a value of this type. */
export type Member<Value = unknown> = JsonObject & { readonly [VALUE]?: Value };

/** What a file may say where a schema is asked for. */
export type ValueOf<Schema> = Schema extends { readonly [VALUE]?: infer Value }
  ? Exclude<Value, undefined>
  : never;

/** The members of a type, none of them required. */
type Some<Type> = { readonly [Name in keyof Type]?: Exclude<Type[Name], undefined> };

type Members = Readonly<Record<string, Member>>;
type ValuesOf<More extends Members> = Some<{ [Name in keyof More]: ValueOf<More[Name]> }>;

/** A text that may be empty, and one that may not. */
export const STRING: Member<string> = { type: 'string' };
export const TEXT: Member<string> = { type: 'string', minLength: 1 };
export const SWITCH: Member<boolean> = { type: 'boolean' };
export const TIME_OR_NEVER: Member<string> = { $ref: '#/$defs/TimeOrNever' };
export const TOKEN: Member<string> = {
  type: 'string',
  minLength: 1,
  maxLength: 900,
  pattern: '^[A-Za-z0-9_-]+$',
  'x-expected': 'letters, digits, "-" and "_"',
};
/** For a member of the contract that forms do not have. */
export const NONE: Member<never> = { not: {} };

export const oneOf = <Choice extends string>(...choices: readonly Choice[]): Member<Choice> => ({
  enum: choices,
});

export const listOf = <Item>(items: Member<Item>): Member<readonly Item[]> => ({ type: 'array', items });

/** Null is for none at all. */
export const nullable = <Value>(schema: Member<Value>, description: string): Member<Value | null> => ({
  ...schema,
  type: ['object', 'null'],
  description,
});

export const described = <Schema extends Member>(schema: Schema, description: string): Schema => ({
  ...schema,
  description,
});

/** A schema of the contract, or that of one of its members. */
export function contract<Name extends keyof Schemas>(name: Name): Member<Schemas[Name]>;
export function contract<Name extends keyof Schemas, Of extends keyof Schemas[Name] & string>(
  name: Name,
  member: Of,
): Member<Exclude<Schemas[Name][Of], undefined>>;
export function contract(name: string, member?: string): Member {
  return { $ref: `#/components/schemas/${name}${member === undefined ? '' : `/properties/${member}`}` };
}

export const object = <More extends Members>(properties: More): Member<ValuesOf<More>> => ({
  type: 'object',
  additionalProperties: false,
  properties,
});

/** An object with further members; one of the same name replaces. */
export const extend = <Base, More extends Members>(
  base: Member<Base>,
  properties: More,
): Member<Some<Omit<Base, keyof More>> & ValuesOf<More>> => ({ allOf: [base, { properties }] });
