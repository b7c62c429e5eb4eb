/** The kinds of rows in an environment, such as `users`. Each kind is loaded after the kinds that it refers to. */
import type { AnyEnvironmentForm, AnyScenarioForm } from '../engine/scenario/scenario.ts';
import { clients, type RowReference, type Section } from '../engine/scenario/section.ts';
import type { StubForm } from '../engine/stubs/stub.ts';
import { stubsOf } from '../engine/stubs/stub-section.ts';
import { ACCOUNT } from './accounts/rules.ts';
import { accountsSection, LIVE_ACCOUNT } from './accounts/scenario.ts';
import { CONNECTION, connectionsSection } from './connections.ts';
import { ORGANIZATION, organizationsSection, USER } from './directory.ts';
import { linksSection, requestsSection } from './links/scenario.ts';
import { logsSection } from './logs.ts';
import { ROLE } from './memberships/roles.ts';
import { rolesSection } from './memberships/scenario.ts';
import { usersSection } from './memberships/users.ts';
import { providersSection } from './providers.ts';
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

/** The kind of row to which each member refers, by id or by natural key. */
export const REFERENCES: Readonly<Record<string, RowReference>> = {
  roles: ROLE,
  organization_id: ORGANIZATION,
  user_id: USER,
  connection_id: CONNECTION,
  connector: CONNECTION,
  account: ACCOUNT,
};

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
