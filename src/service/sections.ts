/** The kinds of rows in an environment, such as `users`. Each kind is loaded after the kinds that it refers to. */

import { clients } from '../engine/scenario/clients.ts';
import type { AnyEnvironmentForm, AnyScenarioForm } from '../engine/scenario/forms.ts';
import type { Section } from '../engine/scenario/section.ts';
import { type StubForm, stubsOf } from '../engine/stubs/stub-section.ts';
import { LIVE_ACCOUNT } from './accounts/live.ts';
import { accountsSection } from './accounts/scenario.ts';
import { connectionsSection } from './connections/scenario.ts';
import { organizationsSection } from './directory/organizations.ts';
import { usersSection } from './directory/users.ts';
import { requestsSection } from './links/requests-scenario.ts';
import { linksSection } from './links/scenario.ts';
import { logsSection } from './logs/scenario.ts';
import { rolesSection } from './memberships/roles-scenario.ts';
import { providersSection } from './providers/scenario.ts';
import type { SettingsForm } from './settings.ts';

const stubs = stubsOf(LIVE_ACCOUNT);

const ALL = [
  clients,
  organizationsSection,
  rolesSection,
  providersSection,
  connectionsSection,
  usersSection,
  accountsSection,
  linksSection,
  requestsSection,
  logsSection,
  stubs,
] as const;

export const sections: readonly Section[] = ALL;

type Nouns = Exclude<(typeof ALL)[number], typeof clients | typeof stubs>;
type Lists = {
  readonly [Each in Nouns as Each['name']]?: readonly Parameters<Each['toRow']>[1]['form'][];
};

/** The content of `environments.NAME` in a scenario. */
export interface EnvironmentForm extends AnyEnvironmentForm, Lists {
  readonly settings?: SettingsForm;
  readonly stubs?: readonly (StubForm & { readonly account?: string })[];
}

/** The content of a scenario file. */
export type ScenarioForm = AnyScenarioForm<EnvironmentForm>;
