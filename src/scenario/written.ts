/** What a scenario may say, as types: the contract's members, none of them required, and what the contract hides. */

import type { SettingsForm } from '../domain/settings-form.ts';
import type { Schemas } from '../openapi/types.ts';

/** Row members that speak of the row itself. */
export interface RowControl {
  readonly repeat?: number;
  readonly remove?: boolean;
}

type Some<Type> = { readonly [Member in keyof Type]?: Exclude<Type[Member], undefined> };

export type ClientForm = RowControl &
  Some<{ client_id: string; client_secret: string; name: string; scope: string }>;

export type OrganizationForm = RowControl & Some<{ id: string; name: string; display_name: string }>;

export type RoleForm = RowControl &
  Some<Schemas['Role'] & { permissions: string[]; extends: string | string[]; default: boolean }>;

export type InviteForm = Some<Omit<Schemas['Invite'], 'status' | 'organization_id' | 'user_id'>> &
  Some<{ status: 'pending' | 'accepted' | 'expired' | 'revoked'; token: string; ended_tokens: string[] }>;

export type MembershipForm = Some<Omit<Schemas['Membership'], 'roles'>> &
  Some<{ roles: (string | Schemas['RoleReference'])[]; groups: string[] }> & {
    readonly invite?: InviteForm | null;
    readonly remove?: boolean;
  };

export type UserForm = RowControl &
  Some<Omit<Schemas['User'], 'memberships' | 'user_profile'>> & {
    readonly user_profile?: Schemas['UserProfile'] | null;
    readonly memberships?: readonly MembershipForm[];
  };

export type ConnectionForm = RowControl &
  Some<Schemas['Connection'] & { serverless: boolean; scopes: string[] }>;

export type CredentialsForm = Schemas['AuthorizationDetails'];

/** An account is named by `account` (its id, or `connector/identifier`) or by the pair. */
export type AccountReference = Some<{ account: string; connector: string; identifier: string }>;

export type AccountForm = RowControl &
  Some<Schemas['ConnectedAccount']> &
  Some<{
    organization_id: string;
    user_id: string;
    refresh: 'grant' | 'deny';
    standing: 'ACTIVE' | 'PENDING_AUTH' | 'DISCONNECTED';
  }>;

export type LinkForm = RowControl &
  AccountReference &
  Some<{ token: string; state: string; user_verify_url: string; expires_at: string; used_at: string }>;

export type VerificationRequestForm = RowControl &
  AccountReference &
  Some<{
    auth_request_id: string;
    state: string;
    expires_at: string;
    authorization_details: CredentialsForm;
    token_expires_at: string;
  }>;

export type ProviderForm = RowControl & Some<Schemas['CustomProvider']>;

export type AuthLogForm = RowControl & Some<Schemas['AuthenticationRequest']>;

/** The row forms of an environment, by section. */
export interface Sections {
  readonly clients: ClientForm;
  readonly organizations: OrganizationForm;
  readonly roles: RoleForm;
  readonly custom_providers: ProviderForm;
  readonly connections: ConnectionForm;
  readonly users: UserForm;
  readonly connected_accounts: AccountForm;
  readonly authorization_links: LinkForm;
  readonly verification_requests: VerificationRequestForm;
  readonly authentication_requests: AuthLogForm;
}

export type SectionName = keyof Sections;

/** The sections, each after those its rows may refer to. */
export const SECTION_NAMES: readonly SectionName[] = [
  'clients',
  'organizations',
  'roles',
  'custom_providers',
  'connections',
  'users',
  'connected_accounts',
  'authorization_links',
  'verification_requests',
  'authentication_requests',
];

/** What stands under `environments.NAME`. */
export type EnvironmentForm = {
  readonly [Name in SectionName]?: readonly Sections[Name][];
} & {
  readonly id?: string;
  readonly access_tokens?: readonly string[];
  readonly settings?: SettingsForm;
};

export interface ClockForm {
  readonly mode?: 'running' | 'frozen';
  readonly now?: string;
}

export interface ScenarioForm {
  readonly description?: string;
  readonly extends?: string | readonly string[];
  readonly seed?: number;
  readonly clock?: string | ClockForm;
  readonly environments?: { readonly [name: string]: EnvironmentForm };
}
