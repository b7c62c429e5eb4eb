/**
 * The kinds of settings that an environment can have, and `defineSettings`, which makes types, JSON schema, reader and
 * writer from one table. In code, durations are milliseconds; people write `15m` or `PT15M`.
 */
import { formatDuration, parseDuration } from './core/clock.ts';
import { isJsonObject, type JsonObject } from './core/object.ts';

/** The JSON schema of a kind of setting. `Value` is the type in code, `Form` what people write. */
interface SettingKind<Value, Form = Value> {
  readonly schema: JsonObject;
  /** Never set: it tells the type checker the two types. */
  readonly types?: { readonly value: Value; readonly form: Form };
}

export interface Setting<Value, Form = Value> extends SettingKind<Value, Form> {
  readonly initial: Form;
  /** What the setting does, as the guide and the JSON schema say it. */
  readonly words: string;
}

export const YES_OR_NO: SettingKind<boolean> = { schema: { type: 'boolean' } };
export const WEB_ADDRESS: SettingKind<string> = {
  schema: { type: 'string', format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]+' },
};
export const choiceOf = <Choice extends string>(...choices: readonly Choice[]): SettingKind<Choice> => ({
  schema: { enum: choices },
});

export const DURATION: SettingKind<number, string> = {
  schema: { type: 'string', format: 'duration-or-short', pattern: '^[0-9P]' },
};

/** Token lifetimes are whole seconds. */
const WHOLE_SECONDS: typeof DURATION = { schema: { ...DURATION.schema, format: 'duration-of-a-second' } };

/** How many requests a client can send in each period of `per` milliseconds (behaviour X2). */
export interface RateLimit {
  readonly requests: number;
  readonly per: number;
}

const RATE_LIMIT: SettingKind<RateLimit, { readonly requests: number; readonly per: string }> = {
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['requests', 'per'],
    properties: {
      requests: { type: 'integer', minimum: 1, description: 'How many requests are answered.' },
      per: {
        ...DURATION.schema,
        pattern: '^(?=.*[1-9])[0-9P]',
        'x-expected': 'a duration above zero, such as 1m',
        description: 'In which period of time.',
      },
    },
  },
};

export const orNull = <Value, Form>({
  schema,
}: SettingKind<Value, Form>): SettingKind<Value | null, Form | null> => ({
  schema: { ...schema, type: [schema.type ?? null, 'null'] },
});

export const setting = <Value, Form>(
  { schema }: SettingKind<Value, Form>,
  initial: NoInfer<Form>,
  words: string,
): Setting<Value, Form> => ({ schema, initial, words });

/** The settings that every service has. */
export const ENGINE_SETTINGS = {
  strict: setting(
    YES_OR_NO,
    false,
    'Refuses unknown query parameters and body members; X-Mock-Strict: 1 does so for one request.',
  ),
  access_token_ttl: setting(
    WHOLE_SECONDS,
    '24h',
    'How long a token of POST /oauth/token lasts. The minimum is one second.',
  ),
  rate_limit: setting(
    orNull(RATE_LIMIT),
    null,
    'How many requests each client can send in a period of time, such as {"requests": 100, "per": "1m"}. Further requests get 429.',
  ),
};

type SettingTable = Readonly<Record<string, Setting<unknown, unknown>>>;

export type ValuesOf<Table extends SettingTable> = {
  readonly [Name in keyof Table]: NonNullable<Table[Name]['types']>['value'];
};
/** Some or all settings, as people write them. */
export type FormsOf<Table extends SettingTable> = {
  readonly [Name in keyof Table]?: Table[Name]['initial'];
};

export type EngineSettings = ValuesOf<typeof ENGINE_SETTINGS>;

/** What the engine knows of the settings of a service. */
export interface ServiceSettings<Values extends EngineSettings = EngineSettings, Form = object> {
  readonly defaults: Values;
  /** The JSON schema of a form. */
  readonly schema: JsonObject;
  /** Reads a form that matches the schema. The result has only the settings that the form has. */
  read(form: Form): Partial<Values>;
  /** The inverse of `read`. */
  write(values: Values): Form;
}

export const defineSettings = <Table extends SettingTable & typeof ENGINE_SETTINGS>(
  table: Table,
): ServiceSettings<ValuesOf<Table>, FormsOf<Table>> => {
  const entries = Object.entries<Setting<unknown, unknown>>(table);
  const properties = Object.fromEntries(
    entries.map(([name, { schema, words }]) => [name, { ...schema, description: words }]),
  );
  const schema = { type: 'object', additionalProperties: false, properties };
  const forms = Object.fromEntries(entries.map(([name, { initial }]) => [name, initial]));
  // the casts are safe: each setting of the table has an entry, and the schema fits
  const read = (form: object) => translated(schema, form, parseDuration) as ValuesOf<Table>;
  return {
    defaults: read(forms),
    schema,
    read,
    write: (values) => translated(schema, values, formatDuration) as FormsOf<Table>,
  };
};

/** A value with its durations translated; the schema tells where they are. */
const translated = (
  { format, properties }: JsonObject,
  value: unknown,
  translate: (duration: never) => unknown,
): unknown => {
  if (String(format).startsWith('duration')) return value === null ? null : translate(value as never); // safe: the schema fits
  if (!isJsonObject(value) || !isJsonObject(properties)) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    translated(Object(properties[name]), member, translate),
  ]);
  return Object.fromEntries(members);
};
