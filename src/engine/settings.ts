/**
 * The settings of an environment: `control.yaml` describes them as people write them, and a service says their defaults. In
 * code, durations are milliseconds; people write `15m` or `PT15M`.
 */
import type { components } from './control/generated.ts';
import { formatDuration, parseDuration } from './core/clock.ts';
import { isJsonObject } from './core/object.ts';

/** The settings of every service, as people write them. */
export type SettingForms = Required<components['schemas']['Settings']>;

/** The members that are durations. */
type DurationName = 'per' | `${string}_ttl`;
const DURATION_NAME = /(?:^per|_ttl)$/;

/** What code has for a form. */
type ValueOf<Name, Form> = Form extends string
  ? Name extends DurationName
    ? number
    : Form
  : Form extends object
    ? ValuesOf<Form>
    : Form;
export type ValuesOf<Forms> = { readonly [Name in keyof Forms]: ValueOf<Name, Forms[Name]> };

/** The settings that the engine itself uses, so that every service has them. */
export type EngineForms = Pick<SettingForms, 'strict' | 'access_token_ttl' | 'rate_limit'>;
export type EngineSettings = ValuesOf<EngineForms>;

/** How many requests a client can send in each period of `per` milliseconds (behaviour X2). */
export type RateLimit = NonNullable<EngineSettings['rate_limit']>;

/** What the engine knows of the settings of a service. */
export interface ServiceSettings<Values extends EngineSettings = EngineSettings, Form = object> {
  readonly defaults: Values;
  /** Reads a form that matches the schema. The result has only the settings that the form has. */
  read(form: Form): Partial<Values>;
  /** The inverse of `read`. */
  write(values: Values): Form;
}

/** @param usual the defaults of all settings that the service has */
export const defineSettings = <Forms extends EngineForms>(
  usual: Forms,
): ServiceSettings<ValuesOf<Forms>, Partial<Forms>> => {
  // the casts are safe: a value has the members of its form
  const read = (form: Partial<Forms>) => translated(form, parseDuration) as ValuesOf<Forms>;
  return { defaults: read(usual), read, write: (values) => translated(values, formatDuration) as Forms };
};

const translated = (value: object, translate: (duration: never) => unknown): unknown =>
  Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (isJsonObject(member)) return [name, translated(member, translate)];
      return [name, DURATION_NAME.test(name) && member !== null ? translate(member as never) : member]; // safe: it is one
    }),
  );
