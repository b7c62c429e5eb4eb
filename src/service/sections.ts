/** The kinds of rows in an environment, such as `users`. Each kind is loaded after the kinds that it refers to. */

import { clients } from '../engine/scenario/clients.ts';
import type { AnyEnvironmentForm, AnyScenarioForm } from '../engine/scenario/scenario.ts';
import type { Section } from '../engine/scenario/section.ts';
import { type StubForm, stubsOf } from '../engine/stubs/scenario.ts';
import { LIVE_ACCOUNT } from './accounts/live.ts';
import { accounts } from './accounts/scenario.ts';
import { connections } from './connections/scenario.ts';
import { organizations } from './directory/organizations.ts';
import { users } from './directory/users.ts';
import { requests } from './links/requests-scenario.ts';
import { links } from './links/scenario.ts';
import { authLog } from './logs/scenario.ts';
import { roles } from './memberships/roles-scenario.ts';
import { providers } from './providers/scenario.ts';
import type { SettingsForm } from './settings.ts';

const stubs = stubsOf(LIVE_ACCOUNT);

const ALL = [
  clients,
  organizations,
  roles,
  providers,
  connections,
  users,
  accounts,
  links,
  requests,
  authLog,
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
