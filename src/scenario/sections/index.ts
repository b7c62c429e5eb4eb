/** The lists of an environment, each after the lists that it refers to. Only this file knows all lists. */
import type { ClockForm } from '../../domain/scenario.ts';
import type { SettingsForm } from '../../domain/settings.ts';
import { accounts } from './accounts.ts';
import { authLog } from './auth-log.ts';
import { clients } from './clients.ts';
import { connections } from './connections.ts';
import { links } from './links.ts';
import { organizations } from './organizations.ts';
import { providers } from './providers.ts';
import { requests } from './requests.ts';
import { roles } from './roles.ts';
import type { Section } from './section.ts';
import { stubs } from './stubs.ts';
import { users } from './users.ts';

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

/** All lists, including lists inside rows. */
export const ALL_SECTIONS: readonly Section[] = SECTIONS.flatMap((section) =>
  section.part ? [section, section.part.section] : [section],
);

type Lists = {
  readonly [Each in (typeof ALL)[number] as Each['name']]?: readonly Parameters<Each['toRow']>[1]['form'][];
};

/** The content of `environments.NAME`. */
export interface EnvironmentForm extends Lists {
  /** Default: drawn from the seed. */
  readonly id?: string;
  /** Bearers that never expire. */
  readonly access_tokens?: readonly string[];
  /** How the environment behaves. */
  readonly settings?: SettingsForm;
}

/** A scenario as a file writes it. */
export interface ScenarioForm {
  /** Shown by `ca-mock list`. */
  readonly description?: string;
  /** Scenarios to start from; later ones win. */
  readonly extends?: string | ScenarioForm | readonly (string | ScenarioForm)[];
  /** Ids are drawn from it. */
  readonly seed?: number;
  /** A time to freeze every clock at, or a clock. */
  readonly clock?: ClockForm;
  /** The environments by name. */
  readonly environments?: { readonly [name: string]: EnvironmentForm };
}
