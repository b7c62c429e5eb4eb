/** The JSON schema of scenario files. A row can have every member that the contract lists for this kind of row. */

import {
  dereference,
  isJsonObject,
  type JsonObject,
  lookUpReference,
  type OpenApiDocument,
} from '../contract/document.ts';
import { CLOCK_HINT } from '../core/clock.ts';
import type { Service } from '../service.ts';
import { TIME_OR_NEVER } from './member-schemas.ts';

const TIME = '^(now|[+-][0-9P].*|[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt].*)$';

const TIMES: JsonObject = {
  Time: {
    type: 'string',
    format: 'scenario-time',
    pattern: TIME,
    description: 'ISO 8601, or relative to the start of the environment: now, -3d, +15m, +2h30m.',
  },
  TimeOrNever: {
    type: 'string',
    format: 'scenario-time-or-never',
    pattern: TIME.replace('now|', 'now|never|'),
    description: 'ISO 8601, or relative to the start of the environment: now, -3d, +15m, +2h30m; or never.',
  },
};

const CLOCK: JsonObject = {
  type: ['string', 'object'],
  minProperties: 1,
  'x-expected': `${CLOCK_HINT}, or an object with mode and now`,
  format: 'date-time',
  additionalProperties: false,
  properties: { mode: { enum: ['running', 'frozen'] }, now: { type: 'string', format: 'date-time' } },
  description:
    'A time freezes the clock at that time; {mode: running, now: TIME} lets the clock run from TIME. The clock of an environment overrides the clock of the scenario.',
};

/**
 * The schema of a whole file; `$defs.Environment` describes the value under `environments.NAME`.
 * @param control the document of the control plane, which describes faults
 */
export const scenarioSchema = (
  { contract: { document }, sections, settings }: Pick<Service, 'contract' | 'sections' | 'settings'>,
  control: OpenApiDocument,
): JsonObject => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: `Scenario of the ${document.info.title}`,
  type: 'object',
  additionalProperties: false,
  properties: {
    $schema: {
      type: 'string',
      description: 'The address of this schema, for editors. The mock ignores this member.',
    },
    description: { type: 'string', description: 'One line that `ca-mock list` shows.' },
    extends: {
      type: ['string', 'object', 'array'],
      minLength: 1,
      items: { type: ['string', 'object'], minLength: 1 },
      description:
        'The scenarios that this scenario extends, each by its name, by the path of its file, or as an object. In a list, later scenarios override earlier ones.',
    },
    seed: {
      type: 'integer',
      minimum: 0,
      maximum: 4294967295,
      'x-expected': 'a whole number from 0 to 4294967295',
      description: 'The seed from which the mock generates ids.',
    },
    clock: CLOCK,
    environments: {
      type: 'object',
      // In the control plane, `current` means the environment that a call selects, so it cannot be a name.
      propertyNames: {
        minLength: 1,
        maxLength: 63,
        pattern: '^(?!current$)[A-Za-z0-9][A-Za-z0-9_-]*$',
        'x-expected':
          'a name of up to 63 letters, digits, "-" and "_" that begins with a letter or a digit, and not "current"',
      },
      additionalProperties: { $ref: '#/$defs/Environment' },
    },
  },
  $defs: {
    Environment: environmentSchema(sections, settings),
    ...Object.fromEntries(sections.map(({ name, schema }) => [name, rowSchema(document, schema)])),
    /** A fault as `POST .../faults` takes it (behaviour X7). */
    faults: dereference(control, control.components.schemas.FaultRule),
    ...TIMES,
  },
});

const environmentSchema = (sections: Service['sections'], { schema }: Service['settings']): JsonObject => ({
  type: 'object',
  additionalProperties: false,
  properties: {
    id: { type: 'string', pattern: '^env_[A-Za-z0-9_-]{1,28}$', 'x-expected': 'an id such as env_1' },
    access_tokens: {
      type: 'array',
      items: {
        type: 'string',
        minLength: 1,
        pattern: '^[A-Za-z0-9._~+/=-]+$',
        'x-expected': 'letters, digits and any of . _ ~ + / = -',
      },
      description: 'Fixed access tokens that never expire.',
    },
    clock: CLOCK,
    settings: schema,
    faults: { type: 'array', items: { $ref: '#/$defs/faults' } },
    ...Object.fromEntries(
      sections.map(({ name }) => [name, { type: 'array', items: { $ref: `#/$defs/${name}` } }]),
    ),
  },
});

const ROW_CONTROL: JsonObject = {
  repeat: {
    type: 'integer',
    minimum: 1,
    description:
      'How many copies of this row to create. In its strings, {n} becomes the number of the copy, from 1.',
  },
  remove: {
    type: 'boolean',
    description: 'Removes a row that comes from a scenario in `extends`.',
  },
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
  const { $ref, allOf, ...own } = schema;
  if (typeof $ref === 'string') {
    const found = lookUpReference(contract, $ref);
    // If the contract does not have the target, the reference points into `$defs` and stays unchanged.
    return isJsonObject(found)
      ? { ...resolveSchema(contract, found), ...resolveMembers(contract, own) }
      : schema;
  }
  if (Array.isArray(allOf)) {
    const parts = allOf.filter(isJsonObject).map((part) => resolveSchema(contract, part));
    const properties: JsonObject = Object.assign({}, ...parts.map(propertiesOf));
    const kept = Object.entries(properties).filter(([, member]) => isJsonObject(member) && !member.not);
    return { ...parts[0], ...resolveMembers(contract, own), properties: Object.fromEntries(kept) };
  }
  if (schema.format === 'date-time') return schema['x-never'] ? TIME_OR_NEVER : { $ref: '#/$defs/Time' };
  return resolveMembers(contract, schema);
};

const propertiesOf = ({ properties }: JsonObject): JsonObject => (isJsonObject(properties) ? properties : {});

/** Keywords that a schema for scenarios leaves out, because they describe only the API. */
const DROPPED =
  /^(required|readOnly|writeOnly|examples?|x-secret|x-rule|x-other-names|x-inferred(-values)?)$/;

const resolveMembers = (contract: OpenApiDocument, schema: JsonObject): JsonObject => {
  const kept = Object.entries(schema).filter(([keyword]) => !DROPPED.test(keyword));
  const resolved = kept.map(([keyword, value]) => {
    if (!isJsonObject(value)) return [keyword, value];
    if (keyword === 'properties') return [keyword, resolveEach(contract, value)];
    const isSchema = /^(items|additionalProperties|propertyNames)$/.test(keyword);
    return [keyword, isSchema ? resolveSchema(contract, value) : value];
  });
  const closed = schema.properties !== undefined && schema.additionalProperties === undefined;
  return { ...Object.fromEntries(resolved), ...(closed && { additionalProperties: false }) };
};

const resolveEach = (contract: OpenApiDocument, properties: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      isJsonObject(schema) ? resolveSchema(contract, schema) : schema,
    ]),
  );
