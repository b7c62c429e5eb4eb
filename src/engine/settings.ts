/**
 * The kinds of settings that an environment can have, and `defineSettings`, which makes types, JSON schema, reader and
 * writer from one table. In code, durations are milliseconds; people write `15m` or `PT15M`.
 */
import type { JsonObject } from './contract/document.ts';
import { formatDuration, parseDuration } from './core/clock.ts';

/** How settings of one kind are checked, read and written. `Value` is the type in code, `Form` what people write. */
interface SettingKind<Value, Form = Value> {
  readonly schema: Readonly<Record<string, unknown>>;
  read(form: Form): Value;
  write(value: Value): Form;
}

export interface Setting<Value, Form> extends SettingKind<Value, Form> {
  readonly initial: Value;
  /** What the setting does, as the guide and the JSON schema say it. */
  readonly words: string;
}

/** Creates a kind of setting whose values need no conversion: code uses them as people write them. */
const plain = <Value>(schema: SettingKind<Value>['schema']): SettingKind<Value> => ({
  schema,
  read: (form) => form,
  write: (value) => value,
});

export const YES_OR_NO = plain<boolean>({ type: 'boolean' });
export const WEB_ADDRESS = plain<string>({
  type: 'string',
  format: 'uri',
  pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]+',
});
export const choiceOf = <Choice extends string>(...choices: readonly Choice[]) =>
  plain<Choice>({ enum: choices });

export const DURATION: SettingKind<number, string> = {
  schema: { type: 'string', format: 'duration-or-short', pattern: '^[0-9P]' },
  read: (form) => parseDuration(form) ?? 0, // the schema accepts durations only
  write: formatDuration,
};

/** Token lifetimes are whole seconds. */
export const WHOLE_SECONDS = {
  ...DURATION,
  schema: { ...DURATION.schema, format: 'duration-of-a-second' },
};

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
  read: ({ requests, per }) => ({ requests, per: DURATION.read(per) }),
  write: ({ requests, per }) => ({ requests, per: DURATION.write(per) }),
};

export const orNull = <Value, Form>({
  schema,
  read,
  write,
}: SettingKind<Value, Form>): SettingKind<Value | null, Form | null> => ({
  schema: { ...schema, type: [schema.type, 'null'] },
  read: (form) => (form === null ? null : read(form)),
  write: (value) => (value === null ? null : write(value)),
});

export const setting = <Value, Form>(
  kind: SettingKind<Value, Form>,
  initial: NoInfer<Form>,
  words: string,
): Setting<Value, Form> => ({ ...kind, initial: kind.read(initial), words });

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

/** A setting of any kind. */
interface AnySetting {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly initial: unknown;
  readonly words: string;
  read(form: never): unknown;
  write(value: never): unknown;
}

type SettingTable = Readonly<Record<string, AnySetting>>;

export type ValuesOf<Table extends SettingTable> = { readonly [Name in keyof Table]: Table[Name]['initial'] };
/** Some or all settings, as people write them. */
export type FormsOf<Table extends SettingTable> = {
  readonly [Name in keyof Table]?: ReturnType<Table[Name]['write']>;
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
  const entries = Object.entries<AnySetting>(table);
  const translate = (given: object, by: 'read' | 'write'): object =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, table[name]?.[by](value as never)]), // safe: the schema fits
    );
  return {
    // the casts are safe: each setting of the table has an entry
    defaults: Object.fromEntries(entries.map(([name, { initial }]) => [name, initial])) as ValuesOf<Table>,
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(
        entries.map(([name, { schema, words }]) => [name, { ...schema, description: words }]),
      ) as JsonObject, // schemas are plain data
    },
    read: (form) => translate(form, 'read') as Partial<ValuesOf<Table>>,
    write: (values) => translate(values, 'write') as FormsOf<Table>,
  };
};
