/** JSON schemas of scenario files: builders for members of rows, and the schema of the whole file from the contract. */
import { dereference, type OpenApiDocument } from '../contract/document.ts';
import { CLOCK_HINT } from '../core/clock.ts';
import { isJsonObject, type JsonObject, type JsonValue, mapMembers } from '../core/object.ts';

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
export const TIME_OR_NEVER: MemberSchema<string> = { format: 'date-time', 'x-never': true };
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

export const described = <Schema extends MemberSchema>(schema: Schema, description: string): Schema => ({
  ...schema,
  description,
});

export const nullable = <Value>(schema: MemberSchema<Value>, description: string) =>
  described<MemberSchema<Value | null>>({ ...schema, type: ['object', 'null'] }, description);

/** Refers to a schema of a contract, or to the schema of one of its members. @param Schemas the types of the schemas */
export const contractOf =
  <Schemas extends object>() =>
  <Name extends keyof Schemas & string, Of extends keyof Schemas[Name] & string = never>(
    name: Name,
    member?: Of,
  ): MemberSchema<[Of] extends [never] ? Schemas[Name] : Exclude<Schemas[Name][Of], undefined>> => ({
    $ref: `#/components/schemas/${name}${member === undefined ? '' : `/properties/${member}`}`,
  });

export const object = <More extends MemberSchemas>(properties: More): MemberSchema<ValuesOf<More>> => ({
  type: 'object',
  additionalProperties: false,
  properties,
});

/** Adds members to an object schema. They replace members of the same name when `joined` merges the `allOf`. */
export const extend = <Base, More extends MemberSchemas>(
  base: MemberSchema<Base>,
  properties: More,
): MemberSchema<Some<Omit<Base, keyof More>> & ValuesOf<More>> => ({ allOf: [base, { properties }] });

const timeSchema = (format: string, word: string, end: string): JsonObject => ({
  type: 'string',
  format,
  pattern: `^(${word}|[+-][0-9P].*|[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt].*)$`,
  description: `ISO 8601, or relative to the start of the environment: now, -3d, +15m, +2h30m${end}.`,
});

const TIMES: JsonObject = {
  Time: timeSchema('scenario-time', 'now', ''),
  TimeOrNever: timeSchema('scenario-time-or-never', 'now|never', '; or never'),
};

const CLOCK: JsonObject = {
  type: ['string', 'object'],
  minProperties: 1,
  'x-expected': `${CLOCK_HINT}, or an object with mode and now`,
  format: 'date-time',
  additionalProperties: false,
  properties: { mode: oneOf('running', 'frozen'), now: { type: 'string', format: 'date-time' } },
  description:
    'A time freezes the clock at that time; {mode: running, now: TIME} lets the clock run from TIME. The clock of an environment overrides the clock of the scenario.',
};

const FILE = object({
  $schema: described(STRING, 'The address of this schema, for editors. The mock ignores this member.'),
  description: described(STRING, 'One line that `ca-mock list` shows.'),
  extends: {
    type: ['string', 'object', 'array'],
    minLength: 1,
    items: { type: ['string', 'object'], minLength: 1 },
    description:
      'The scenarios that this scenario extends, each by its name, by the path of its file, or as an object. In a list, later scenarios override earlier ones.',
  },
  seed: {
    ...WHOLE,
    maximum: 4294967295,
    'x-expected': 'a whole number from 0 to 4294967295',
    description: 'The seed from which the mock generates ids.',
  },
  clock: CLOCK,
  environments: {
    type: 'object',
    propertyNames: {
      minLength: 1,
      maxLength: 63,
      pattern: '^(?!current$)[A-Za-z0-9][A-Za-z0-9_-]*$', // in the control plane, `current` is the environment that a call selects
      'x-expected':
        'a name of up to 63 letters, digits, "-" and "_" that begins with a letter or a digit, and not "current"',
    },
    additionalProperties: { $ref: '#/$defs/Environment' },
  },
});

interface Described {
  readonly contract: { readonly document: OpenApiDocument };
  readonly sections: readonly { readonly name: string; readonly schema: JsonObject }[];
}

/**
 * The schema of a whole file; `$defs.Environment` describes the value under `environments.NAME`.
 * @param control the document of the control plane, which describes settings and faults
 */
export const scenarioSchema = (
  { contract: { document }, sections }: Described,
  control: OpenApiDocument,
): JsonObject => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: `Scenario of the ${document.info.title}`,
  ...FILE,
  $defs: {
    Environment: object({
      id: { type: 'string', pattern: '^env_[A-Za-z0-9_-]{1,28}$', 'x-expected': 'an id such as env_1' },
      access_tokens: described(
        listSchema({
          ...TEXT,
          pattern: '^[A-Za-z0-9._~+/=-]+$',
          'x-expected': 'letters, digits and any of . _ ~ + / = -',
        }),
        'Fixed access tokens that never expire.',
      ),
      clock: CLOCK,
      settings: dereference(control, control.components.schemas.Settings),
      faults: listSchema({ $ref: '#/$defs/faults' }),
      ...Object.fromEntries(sections.map(({ name }) => [name, listSchema({ $ref: `#/$defs/${name}` })])),
    }),
    ...Object.fromEntries(
      sections.map(({ name, schema }) => [name, rowSchema(dereference(document, schema))]),
    ),
    faults: dereference(control, control.components.schemas.FaultRule), // as `POST .../faults` takes it (behaviour X7)
    ...TIMES,
  },
});

const ROW_CONTROL: JsonObject = {
  repeat: {
    ...WHOLE,
    minimum: 1,
    description:
      'How many copies of this row to create. In its strings, {n} becomes the number of the copy, from 1.',
  },
  remove: described(SWITCH, 'Removes a row that comes from a scenario in `extends`.'),
};

const rowSchema = (schema: JsonObject): JsonObject => {
  const row = resolveSchema(schema);
  return { ...row, properties: { ...propertiesOf(row), ...ROW_CONTROL } };
};

/**
 * Turns a schema of the contract into a schema for scenarios: without required members, and with the time formats of
 * scenarios: a time that a row can lack (`x-never`) can be `never`.
 */
const resolveSchema = (schema: JsonObject): JsonObject => {
  if (schema.format === 'date-time') return { $ref: `#/$defs/Time${schema['x-never'] ? 'OrNever' : ''}` };
  const { allOf, ...own } = schema;
  const parts = [allOf ?? []].flat().filter(isJsonObject).map(resolveSchema);
  const kept = Object.entries(own).filter(([keyword]) => !DROPPED.test(keyword));
  const isClosed = own.properties !== undefined && own.additionalProperties === undefined;
  return {
    ...parts[0],
    ...Object.fromEntries(kept.map(([keyword, value]) => [keyword, resolveKeyword(keyword, value)])),
    ...(allOf && { properties: joined(parts) }),
    ...(isClosed && { additionalProperties: false }),
  };
};

/** Keywords that a schema for scenarios leaves out, because they describe only the API. */
const DROPPED =
  /^(required|readOnly|writeOnly|examples?|x-secret|x-rule|x-other-names|x-inferred(-values)?)$/;

const resolveKeyword = (keyword: string, value: JsonValue): JsonValue => {
  if (!isJsonObject(value)) return value;
  if (/^(items|additionalProperties|propertyNames)$/.test(keyword)) return resolveSchema(value);
  if (keyword !== 'properties') return value;
  return mapMembers(propertiesOf({ properties: value }), resolveSchema);
};

/** The members of all parts of a row, without those that a scenario must not have. */
const joined = (parts: readonly JsonObject[]): JsonObject => {
  const all: ReturnType<typeof propertiesOf> = Object.assign({}, ...parts.map(propertiesOf));
  return Object.fromEntries(Object.entries(all).filter(([, { not }]) => !not));
};

const propertiesOf = ({ properties }: JsonObject): Readonly<Record<string, JsonObject>> => Object(properties);
