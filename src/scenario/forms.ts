/** What a scenario may say, as types: the contract's members, none of them required, and what the contract hides. */
import type { SettingsForm } from '../domain/settings-form.ts';
import type { AccountForm } from './sections/accounts.ts';
import type { AuthLogForm } from './sections/auth-log.ts';
import type { ClientForm } from './sections/clients.ts';
import type { ConnectionForm } from './sections/connections.ts';
import type { LinkForm } from './sections/links.ts';
import type { OrganizationForm } from './sections/organizations.ts';
import type { ProviderForm } from './sections/providers.ts';
import type { VerificationRequestForm } from './sections/requests.ts';
import type { RoleForm } from './sections/roles.ts';
import type { UserForm } from './sections/users.ts';

/** What is written under `environments.NAME`. */
export interface EnvironmentForm {
  readonly id?: string;
  readonly access_tokens?: readonly string[];
  readonly settings?: SettingsForm;
  readonly clients?: readonly ClientForm[];
  readonly organizations?: readonly OrganizationForm[];
  readonly roles?: readonly RoleForm[];
  readonly custom_providers?: readonly ProviderForm[];
  readonly connections?: readonly ConnectionForm[];
  readonly users?: readonly UserForm[];
  readonly connected_accounts?: readonly AccountForm[];
  readonly authorization_links?: readonly LinkForm[];
  readonly verification_requests?: readonly VerificationRequestForm[];
  readonly authentication_requests?: readonly AuthLogForm[];
}

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
