/**
 * Defines the settings of an environment in one table, from which types, JSON schema, reader and writer derive. Tests
 * compare the table with src/guide/flags.md and src/engine/control/control.yaml. In code, durations are milliseconds;
 * people write `15m` or `PT15M`.
 */
import { formatDuration, parseDuration } from '../engine/core/clock.ts';

/** How settings of one kind are checked, read and written. `Value` is the type in code, `Form` what people write. */
interface SettingKind<Value, Form = Value> {
  readonly schema: Readonly<Record<string, unknown>>;
  read(form: Form): Value;
  write(value: Value): Form;
}

interface Setting<Value, Form> extends SettingKind<Value, Form> {
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

const YES_OR_NO = plain<boolean>({ type: 'boolean' });
const WEB_ADDRESS = plain<string>({
  type: 'string',
  format: 'uri',
  pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]+',
});
const oneOf = <Choice extends string>(...choices: readonly Choice[]) => plain<Choice>({ enum: choices });

const DURATION: SettingKind<number, string> = {
  schema: { type: 'string', format: 'duration-or-short', pattern: '^[0-9P]' },
  read: (form) => parseDuration(form) ?? 0, // the schema accepts durations only
  write: formatDuration,
};

/** Token lifetimes are whole seconds. */
const WHOLE_SECONDS = { ...DURATION, schema: { ...DURATION.schema, format: 'duration-of-a-second' } };

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

const orNull = <Value, Form>({
  schema,
  read,
  write,
}: SettingKind<Value, Form>): SettingKind<Value | null, Form | null> => ({
  schema: { ...schema, type: [schema.type, 'null'] },
  read: (form) => (form === null ? null : read(form)),
  write: (value) => (value === null ? null : write(value)),
});

const setting = <Value, Form>(
  kind: SettingKind<Value, Form>,
  initial: NoInfer<Form>,
  words: string,
): Setting<Value, Form> => ({ ...kind, initial: kind.read(initial), words });

export const SETTINGS = {
  hosted: setting(
    oneOf('interactive', 'approve', 'deny'),
    'interactive',
    'What opening an authorization link does: shows its page, or approves or denies at once.',
  ),
  user_verification: setting(
    oneOf('lenient', 'strict'),
    'lenient',
    'With "strict", no link can be created without user_verify_url.',
  ),
  strict: setting(
    YES_OR_NO,
    false,
    'Refuses unknown query parameters and body members; X-Mock-Strict: 1 does so for one request.',
  ),
  magic_link_ttl: setting(DURATION, '15m', 'How long an authorization link can be opened.'),
  provider_token_ttl: setting(
    DURATION,
    '1h',
    'How long the tokens that the mock issues for an account are valid.',
  ),
  auth_request_ttl: setting(DURATION, '10m', 'How long after consent a user can be verified.'),
  invite_ttl: setting(
    orNull(DURATION),
    '15d',
    'How long an invitation is valid. With null it never expires, and resending it answers 400.',
  ),
  access_token_ttl: setting(
    WHOLE_SECONDS,
    '24h',
    'How long a token of POST /oauth/token lasts. The minimum is one second.',
  ),
  full_stack_authentication: setting(
    YES_OR_NO,
    true,
    'With false, no invitation is mailed, and resending one answers 400.',
  ),
  email_delivery: setting(
    oneOf('ok', 'fail'),
    'ok',
    'With "fail", creating or resending an invitation answers 500 and changes nothing.',
  ),
  post_user_verify_redirect_url: setting(
    orNull(WEB_ADDRESS),
    null,
    'Where the user goes after verification; null means {base_url}/connect/success.',
  ),
  initiate_login_url: setting(
    orNull(WEB_ADDRESS),
    null,
    'Where the user goes after accepting an invitation; null means a page of the mock.',
  ),
  delete_user_with_last_membership: setting(
    YES_OR_NO,
    false,
    'Whether a user is deleted together with their last membership.',
  ),
  rate_limit: setting(
    orNull(RATE_LIMIT),
    null,
    'How many requests each client can send in a period of time, such as {"requests": 100, "per": "1m"}. Further requests get 429.',
  ),
};

type Table = typeof SETTINGS;

export type SettingValues = { readonly [Name in keyof Table]: Table[Name]['initial'] };

export const DEFAULT_SETTINGS = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, { initial }]) => [name, initial]),
) as SettingValues; // the cast is safe: every setting has an entry

/** Some or all settings, as people write them. */
export type SettingsForm = { readonly [Name in keyof Table]?: ReturnType<Table[Name]['write']> };

export const SETTINGS_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(
    Object.entries(SETTINGS).map(([name, { schema, words }]) => [name, { ...schema, description: words }]),
  ),
} as const;

const translate = (given: object, by: 'read' | 'write'): object =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const setting = SETTINGS[name as keyof Table]; // the cast is safe: `given` has only names of settings
      return [name, (setting[by] as (value: unknown) => unknown)(value)];
    }),
  );

/** Reads a form that matches `SETTINGS_SCHEMA`. The result has only the settings that the form has. */
export const readSettings = (form: SettingsForm): Partial<SettingValues> => translate(form, 'read');

/** The inverse of `readSettings`: turns settings back into the form that people write. */
export const writeSettings = (settings: SettingValues): SettingsForm => translate(settings, 'write');
