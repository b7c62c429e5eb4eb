/**
 * The settings of an environment in one table. Tests compare the table with src/guide/flags.md and
 * src/engine/control/control.yaml.
 */
import {
  choiceOf,
  DURATION,
  defineSettings,
  ENGINE_SETTINGS,
  type FormsOf,
  orNull,
  setting,
  type ValuesOf,
  WEB_ADDRESS,
  YES_OR_NO,
} from '../engine/settings.ts';

export const SETTINGS = {
  hosted: setting(
    choiceOf('interactive', 'approve', 'deny'),
    'interactive',
    'What opening an authorization link does: shows its page, or approves or denies at once.',
  ),
  user_verification: setting(
    choiceOf('lenient', 'strict', 'platform'),
    'lenient',
    'With "strict", no link can be created without user_verify_url. With "platform", approval makes the account ACTIVE.',
  ),
  strict: ENGINE_SETTINGS.strict,
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
  access_token_ttl: ENGINE_SETTINGS.access_token_ttl,
  full_stack_authentication: setting(
    YES_OR_NO,
    true,
    'With false, no invitation is mailed, and resending one answers 400.',
  ),
  email_delivery: setting(
    choiceOf('ok', 'fail'),
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
  rate_limit: ENGINE_SETTINGS.rate_limit,
};

export type SettingValues = ValuesOf<typeof SETTINGS>;
/** Some or all settings, as people write them. */
export type SettingsForm = FormsOf<typeof SETTINGS>;

export const settings = defineSettings(SETTINGS);
