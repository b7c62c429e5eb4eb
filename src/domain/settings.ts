/** What can be set per environment (interface.md, "Settings of an environment"). Lengths of time are milliseconds. */
export interface Settings {
  readonly hosted: 'interactive' | 'approve' | 'deny';
  readonly user_verification: 'lenient' | 'strict';
  readonly strict: boolean;
  readonly magic_link_ttl: number;
  readonly provider_token_ttl: number;
  readonly auth_request_ttl: number;
  /** `null`: the document's "expiry time missing in user management settings". */
  readonly invite_ttl: number | null;
  readonly access_token_ttl: number;
  readonly full_stack_authentication: boolean;
  readonly email_delivery: 'ok' | 'fail';
  /** Default: `{base_url}/connect/success`. */
  readonly post_user_verify_redirect_url?: string;
  readonly delete_user_with_last_membership: boolean;
  readonly rate_limit: RateLimit | null;
}

/** Behaviour X2: so many requests per client in each span of `per` milliseconds. */
export interface RateLimit {
  readonly requests: number;
  readonly per: number;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export const DEFAULT_SETTINGS: Settings = {
  hosted: 'interactive',
  user_verification: 'lenient',
  strict: false,
  magic_link_ttl: 15 * MINUTE,
  provider_token_ttl: 60 * MINUTE,
  auth_request_ttl: 10 * MINUTE,
  invite_ttl: 15 * DAY,
  access_token_ttl: DAY,
  full_stack_authentication: true,
  email_delivery: 'ok',
  delete_user_with_last_membership: false,
  rate_limit: null,
};
