/** Promises whose name says how they are broken: a field that is left out, a value that is another one. */
import type { DescribedPromise, Section } from '../../../src/verify/promises.ts';
import { type Break, drop, replace } from './break.ts';

/** Where replies hold what a section is about. */
const PLACES: Partial<Record<Section, readonly string[]>> = {
  account: ['connected_account', 'connected_accounts.*'],
  oauth_token: ['connected_account.authorization_details.oauth_token'],
  static_auth: ['connected_account.authorization_details.static_auth'],
  vendorb_dwd: ['connected_account.authorization_details.vendorb_dwd'],
  trusted_idp: ['connected_account.authorization_details.trusted_idp'],
  connection: ['connections.*'],
  provider: ['provider'],
  custom_providers: ['provider'],
  user: ['user'],
  membership: ['user.memberships.*'],
  role: ['user.memberships.*.roles.*'],
  profile: ['user.user_profile'],
  external_identity: ['user.user_profile.external_identities.*'],
  invite: ['invite'],
  log_entry: ['authRequests.*'],
  connection_details: ['authRequests.*.connection_details.*'],
  identity_errors: [''],
  debug_info: ['debug_info'],
  localized_message_info: ['localized_message_info'],
  request_info: ['request_info'],
  resource_info: ['resource_info'],
  field_violations: ['validation_error_info.field_violations.*'],
};

/** One break for all places; undefined for a section that is not about fields. */
export const breakField = ({ id, section }: DescribedPromise): Break | undefined => {
  const [member = '', value] = id.slice(section.length + 1).split('=');
  const breaks = PLACES[section]?.map((place) =>
    value === undefined ? drop(place, member) : replace(place, member, value, 'ANOTHER'),
  );
  if (!breaks) return undefined;
  return {
    alter: (reply) => {
      for (const { alter } of breaks) alter?.(reply);
    },
  };
};
