/** The kinds of rows in an environment, such as `users`. Each kind is loaded after the kinds that it refers to. */

import { clients } from '../engine/scenario/clients.ts';
import type { ClockForm } from '../engine/scenario/scenario.ts';
import type { Section } from '../engine/scenario/section.ts';
import { stubs } from '../engine/stubs/scenario.ts';
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

export const SECTIONS: readonly Section[] = ALL;

/** All kinds of rows, including rows inside other rows, such as the memberships of a user. */
export const ALL_SECTIONS: readonly Section[] = SECTIONS.flatMap((section) =>
  section.part ? [section, section.part.section] : [section],
);

type Lists = {
  readonly [Each in (typeof ALL)[number] as Each['name']]?: readonly Parameters<Each['toRow']>[1]['form'][];
};

/** The content of `environments.NAME` in a scenario. */
export interface EnvironmentForm extends Lists {
  /** The clock of this environment, if it differs from the scenario's clock. Only scenario files have this member. */
  readonly clock?: ClockForm;
  /** Default: the mock generates the id from the seed. */
  readonly id?: string;
  /** Access tokens that never expire. */
  readonly access_tokens?: readonly string[];
  /** The settings that differ from their defaults. */
  readonly settings?: SettingsForm;
}

/** The content of a scenario file. */
export interface ScenarioForm {
  /** Shown by `ca-mock list`. */
  readonly description?: string;
  /** The scenarios that this scenario extends. Later scenarios override earlier ones. */
  readonly extends?: string | ScenarioForm | readonly (string | ScenarioForm)[];
  /** The seed from which the mock generates ids. */
  readonly seed?: number;
  /** The clock of every environment that has none of its own. A string is the time at which the clock is frozen. */
  readonly clock?: ClockForm;
  /** The environments by name. */
  readonly environments?: { readonly [name: string]: EnvironmentForm };
}
