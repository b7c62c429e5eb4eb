/** The JSON schema of scenario files. A row can have every member that the contract lists for this kind of row. */
import { dereference, lookUpReference, type OpenApiDocument } from '../contract/document.ts';
import { CLOCK_HINT } from '../core/clock.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/object.ts';
import type { Service } from '../service.ts';
import {
  described,
  listSchema,
  type MemberSchema,
  object,
  oneOf,
  STRING,
  SWITCH,
  TEXT,
  TIME_OR_NEVER,
  WHOLE,
} from './member-schemas.ts';

const TIME = '^(now|[+-][0-9P].*|[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt].*)$';

const TIME_WORDS = 'ISO 8601, or relative to the start of the environment: now, -3d, +15m, +2h30m';

const TIMES: JsonObject = {
  Time: { type: 'string', format: 'scenario-time', pattern: TIME, description: `${TIME_WORDS}.` },
  TimeOrNever: {
    type: 'string',
    format: 'scenario-time-or-never',
    pattern: TIME.replace('now|', 'now|never|'),
    description: `${TIME_WORDS}; or never.`,
  },
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

const ENVIRONMENT_NAME: JsonObject = {
  minLength: 1,
  maxLength: 63,
  pattern: '^(?!current$)[A-Za-z0-9][A-Za-z0-9_-]*$', // in the control plane, `current` is the environment that a call selects
  'x-expected':
    'a name of up to 63 letters, digits, "-" and "_" that begins with a letter or a digit, and not "current"',
};

const ACCESS_TOKEN: MemberSchema<string> = {
  ...TEXT,
  pattern: '^[A-Za-z0-9._~+/=-]+$',
  'x-expected': 'letters, digits and any of . _ ~ + / = -',
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
    ...{ ...WHOLE, maximum: 4294967295, 'x-expected': 'a whole number from 0 to 4294967295' },
    description: 'The seed from which the mock generates ids.',
  },
  clock: CLOCK,
  environments: {
    type: 'object',
    propertyNames: ENVIRONMENT_NAME,
    additionalProperties: { $ref: '#/$defs/Environment' },
  },
});

/**
 * The schema of a whole file; `$defs.Environment` describes the value under `environments.NAME`.
 * @param control the document of the control plane, which describes settings and faults
 */
export const scenarioSchema = (
  { contract: { document }, sections }: Pick<Service, 'contract' | 'sections'>,
  control: OpenApiDocument,
): JsonObject => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: `Scenario of the ${document.info.title}`,
  ...FILE,
  $defs: {
    Environment: environmentSchema(sections, dereference(control, control.components.schemas.Settings)),
    ...Object.fromEntries(sections.map(({ name, schema }) => [name, rowSchema(document, schema)])),
    faults: dereference(control, control.components.schemas.FaultRule), // as `POST .../faults` takes it (behaviour X7)
    ...TIMES,
  },
});

const environmentSchema = (sections: Service['sections'], settings: JsonObject): JsonObject =>
  object({
    id: { type: 'string', pattern: '^env_[A-Za-z0-9_-]{1,28}$', 'x-expected': 'an id such as env_1' },
    access_tokens: described(listSchema(ACCESS_TOKEN), 'Fixed access tokens that never expire.'),
    clock: CLOCK,
    settings,
    faults: listSchema({ $ref: '#/$defs/faults' }),
    ...Object.fromEntries(sections.map(({ name }) => [name, listSchema({ $ref: `#/$defs/${name}` })])),
  });

const ROW_CONTROL: JsonObject = {
  repeat: {
    ...{ ...WHOLE, minimum: 1 },
    description:
      'How many copies of this row to create. In its strings, {n} becomes the number of the copy, from 1.',
  },
  remove: described(SWITCH, 'Removes a row that comes from a scenario in `extends`.'),
};

const rowSchema = (contract: OpenApiDocument, schema: JsonObject): JsonObject => {
  const row = resolveSchema(contract, schema);
  return { ...row, properties: { ...propertiesOf(row), ...ROW_CONTROL } };
};

/**
 * Turns a schema of the contract into a schema for scenarios: without references to the contract, without required
 * members, and with the time formats of scenarios: a time that a row can lack (`x-never`) can be `never`.
 */
const resolveSchema = (contract: OpenApiDocument, schema: JsonObject): JsonObject => {
  if (schema.format === 'date-time') return schema['x-never'] ? TIME_OR_NEVER : { $ref: '#/$defs/Time' };
  const { $ref, allOf, ...own } = schema;
  const target = typeof $ref === 'string' ? lookUpReference(contract, $ref) : undefined;
  if ($ref !== undefined && target === undefined) return schema; // the reference points into `$defs`
  const parts = [target, allOf].flat().filter(isJsonObject);
  const resolved = parts.map((part) => resolveSchema(contract, part));
  const kept = Object.entries(own).filter(([keyword]) => !DROPPED.test(keyword));
  const members = kept.map(([keyword, value]) => [keyword, resolveKeyword(contract, keyword, value)]);
  const isClosed = own.properties !== undefined && own.additionalProperties === undefined;
  return {
    ...resolved[0],
    ...Object.fromEntries(members),
    ...(allOf && { properties: joined(resolved) }),
    ...(isClosed && { additionalProperties: false }),
  };
};

/** Keywords that a schema for scenarios leaves out, because they describe only the API. */
const DROPPED =
  /^(required|readOnly|writeOnly|examples?|x-secret|x-rule|x-other-names|x-inferred(-values)?)$/;

const resolveKeyword = (contract: OpenApiDocument, keyword: string, value: JsonValue): JsonValue => {
  if (!isJsonObject(value)) return value;
  if (/^(items|additionalProperties|propertyNames)$/.test(keyword)) return resolveSchema(contract, value);
  if (keyword !== 'properties') return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    isJsonObject(member) ? resolveSchema(contract, member) : member,
  ]);
  return Object.fromEntries(members);
};

/** The members of all parts of a row, without those that a scenario must not have. */
const joined = (parts: readonly JsonObject[]): JsonObject => {
  const all: ReturnType<typeof propertiesOf> = Object.assign({}, ...parts.map(propertiesOf));
  return Object.fromEntries(Object.entries(all).filter(([, { not }]) => !not));
};

const propertiesOf = ({ properties }: JsonObject): Readonly<Record<string, JsonObject>> => Object(properties);
