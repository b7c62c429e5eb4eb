/** Validators of a whole scenario, and of what stands under `environments.NAME`, compiled from their JSON schema. */
import { Ajv, type Options, type ValidateFunction } from 'ajv';
import type { JsonObject } from '../openapi/document.ts';
import { FORMATS } from './formats.ts';

export type Validators = Readonly<Record<'scenario' | 'environment', ValidateFunction>>;

/** Where each validator's schema is. */
export const SCHEMAS = { scenario: 'scenario', environment: 'scenario#/$defs/Environment' } as const;

/** A compiler that knows the schema. @param code how it writes code; the build has it written out */
export const createCompiler = (schema: JsonObject, code: Options['code'] = {}): Ajv => {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    strict: false,
    validateSchema: false,
    meta: false,
    logger: false,
    formats: FORMATS,
    code,
  });
  // The URI of the draft is for editors; here it would only ask for the meta-schema.
  const { $schema: _, ...own } = schema;
  return ajv.addSchema(own, SCHEMAS.scenario);
};

/** Compiles both. Smoothing the generated code takes longer than one load with the rough code does. */
export const compileValidators = (schema: JsonObject): Validators => {
  const ajv = createCompiler(schema, { optimize: false });
  return {
    scenario: ajv.compile({ $ref: SCHEMAS.scenario }),
    environment: ajv.compile({ $ref: SCHEMAS.environment }),
  };
};
