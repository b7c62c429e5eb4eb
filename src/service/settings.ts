/** The settings of an environment and their defaults, in the order of src/guide/flags.md; control.yaml describes them. */
import { defineSettings, type SettingForms, type ValuesOf } from '../engine/settings.ts';

export type SettingValues = ValuesOf<SettingForms>;
/** Some or all settings, as people write them. */
export type SettingsForm = Partial<SettingForms>;

export const settings = defineSettings<SettingForms>({
  hosted: 'interactive',
  user_verification: 'lenient',
  strict: false,
  magic_link_ttl: '15m',
  provider_token_ttl: '1h',
  auth_request_ttl: '10m',
  invite_ttl: '15d',
  access_token_ttl: '24h',
  full_stack_authentication: true,
  email_delivery: 'ok',
  post_user_verify_redirect_url: null,
  initiate_login_url: null,
  delete_user_with_last_membership: false,
  rate_limit: null,
});
