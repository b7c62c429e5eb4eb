/** Settings as people write them, in scenarios and over the control plane: lengths of time as `15m` or `PT15M`. */
import { DURATION_HINT, formatDuration, parseDuration } from '../core/duration.ts';
import type { RateLimit, Settings } from './settings.ts';

type Written<Value> = Value extends RateLimit
  ? { readonly requests: number; readonly per: string }
  : Value extends number
    ? string
    : Value;

/** Any of the settings, written out. */
export type SettingsForm = { readonly [Name in keyof Settings]?: Written<Settings[Name]> };

const DURATION = {
  type: 'string',
  format: 'duration-or-short',
  pattern: '^[0-9P]',
  description: `${DURATION_HINT[0]?.toUpperCase()}${DURATION_HINT.slice(1)}.`,
  examples: ['15m', '2h30m', '15d', 'PT15M'],
} as const;

const REQUESTS = { type: 'integer', minimum: 1 } as const;

/** The JSON schema of `SettingsForm`; the one place that says what a setting may be. */
export const SETTINGS_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    hosted: {
      enum: ['interactive', 'approve', 'deny'],
      description: 'What opening an authorization link does: show the page, or answer at once (V5).',
    },
    user_verification: {
      enum: ['lenient', 'strict'],
      description: 'Whether a link may be made without user_verify_url (V4).',
    },
    strict: { type: 'boolean', description: 'Refuse unknown query parameters and body members (T2).' },
    magic_link_ttl: DURATION,
    provider_token_ttl: DURATION,
    auth_request_ttl: DURATION,
    invite_ttl: { ...DURATION, type: ['string', 'null'] },
    access_token_ttl: DURATION,
    full_stack_authentication: { type: 'boolean', description: 'False makes a resend answer 400 (M7).' },
    email_delivery: { enum: ['ok', 'fail'], description: 'fail makes a resend answer 500 (M7).' },
    post_user_verify_redirect_url: { type: 'string', format: 'uri', pattern: '^https?://[^/?#]+' },
    delete_user_with_last_membership: { type: 'boolean' },
    rate_limit: {
      type: ['object', 'null'],
      description: 'So many requests per client in each span of time (X2); null is no limit.',
      additionalProperties: false,
      required: ['requests', 'per'],
      properties: { requests: REQUESTS, per: { ...DURATION, pattern: '^(?=.*[1-9])[0-9P]' } },
    },
  },
} as const;

const LENGTHS = ['magic_link_ttl', 'provider_token_ttl', 'auth_request_ttl', 'access_token_ttl'] as const;

/** Settings that a form which `SETTINGS_SCHEMA` accepts stands for; those it leaves out are absent. */
export const readSettings = (form: SettingsForm): Partial<Settings> => {
  const {
    rate_limit,
    invite_ttl,
    magic_link_ttl,
    provider_token_ttl,
    auth_request_ttl,
    access_token_ttl,
    ...rest
  } = form;
  const lengths = { magic_link_ttl, provider_token_ttl, auth_request_ttl, access_token_ttl };
  const written = LENGTHS.flatMap((name) => {
    const text = lengths[name];
    return text === undefined ? [] : [[name, parseDuration(text)]];
  });
  return {
    ...rest,
    ...Object.fromEntries(written),
    ...(invite_ttl !== undefined && {
      invite_ttl: invite_ttl === null ? null : (parseDuration(invite_ttl) ?? null),
    }),
    ...(rate_limit !== undefined && { rate_limit: rate_limit && readRateLimit(rate_limit) }),
  };
};

const readRateLimit = ({ requests, per }: Written<RateLimit>): RateLimit => ({
  requests,
  per: parseDuration(per) ?? 0,
});

/** The form that `readSettings` reads as these settings. */
export const writeSettings = (settings: Settings): SettingsForm => ({
  ...settings,
  magic_link_ttl: formatDuration(settings.magic_link_ttl),
  provider_token_ttl: formatDuration(settings.provider_token_ttl),
  auth_request_ttl: formatDuration(settings.auth_request_ttl),
  access_token_ttl: formatDuration(settings.access_token_ttl),
  invite_ttl: settings.invite_ttl === null ? null : formatDuration(settings.invite_ttl),
  rate_limit: settings.rate_limit && {
    requests: settings.rate_limit.requests,
    per: formatDuration(settings.rate_limit.per),
  },
});
