/** One environment from what is written about it: its tables, each row complete. */
import { defined } from '../../core/defined.ts';
import { type Draw, drawFrom, type GeneratorState } from '../../core/ids.ts';
import { createTable } from '../../core/table.ts';
import {
  ACCOUNTS,
  AUTH_LOG,
  CLIENTS,
  CONNECTIONS,
  LINKS,
  MEMBERSHIPS,
  ORGANIZATIONS,
  ROLES,
  USERS,
  VERIFICATION_REQUESTS,
} from '../../domain/rows.ts';
import type { Settings } from '../../domain/settings.ts';
import type { IdSet, State } from '../../domain/state.ts';
import { type Draft, type EnvironmentDraft, isKnown } from '../draft.ts';
import type { Faults } from '../fault.ts';
import type { Beside } from '../patch/part.ts';
import { checkStatuses } from './account-status.ts';
import { buildAccounts } from './accounts.ts';
import { buildAuthLog } from './auth-log.ts';
import { buildLinks, buildVerificationRequests } from './authorizations.ts';
import type { Build, BuildClock } from './build.ts';
import { buildConnections, buildProviders } from './connections.ts';
import { buildMemberships } from './memberships.ts';
import { buildClients, buildOrganizations, buildRoles } from './organizations.ts';
import { buildUsers } from './users.ts';

export interface BuildOptions {
  readonly environmentId: string;
  readonly settings: Settings;
  /** Where the ids that are not written are drawn from. */
  readonly generator: GeneratorState;
  /** Ids that may not be drawn besides those that are written. */
  readonly reserved: IdSet;
  readonly clock: BuildClock;
  /** Rows that are there already and are not built. */
  readonly beside?: Beside;
}

/** The state that an environment starts with. Where anything is wrong, `faults` says so and the state is useless. */
export const buildState = (draft: EnvironmentDraft, options: BuildOptions, faults: Faults): State => {
  const draw = drawFrom(options.generator);
  const reserved = writtenIds(draft, options.reserved);
  const { environmentId, settings, clock, beside } = options;
  const isInviteTtlKnown = isKnown(settingsDraft(draft), 'invite_ttl');
  const build = {
    environmentId,
    settings,
    isInviteTtlKnown,
    clock,
    draw,
    reserved,
    faults,
    ...defined({ beside }),
  };
  const tables = buildTables(build, draft);
  return { ...tables, generator: draw.state(), reserved, access_tokens: draft.access_tokens };
};

const settingsDraft = ({ head, settings }: EnvironmentDraft): Draft<object> => ({
  form: settings,
  origins: head.origins.map((origin) => ({ ...origin, path: [...origin.path, 'settings'] })),
});

const buildTables = (
  build: Build & { readonly draw: Draw },
  { sections }: EnvironmentDraft,
): Omit<State, 'generator' | 'reserved' | 'access_tokens'> => {
  const clients = buildClients(build, sections.clients);
  const organizations = buildOrganizations(build, sections.organizations);
  const roles = buildRoles(build, sections.roles);
  const providers = buildProviders(build, sections.custom_providers);
  const connections = buildConnections(build, sections.connections, organizations.register, providers.find);
  const users = buildUsers(build, sections.users, connections.register);
  const memberships = buildMemberships(build, users, { organizations, roles });
  const around = {
    organizations: organizations.register,
    users: users.register,
    connections: connections.register,
  };
  const accounts = buildAccounts(build, sections.connected_accounts, around);
  const links = buildLinks(build, sections.authorization_links, accounts, connections.register);
  const requests = buildVerificationRequests(
    build,
    sections.verification_requests,
    accounts,
    connections.register,
  );
  checkStatuses(build, accounts.written, requests);
  const log = buildAuthLog(
    build,
    sections.authentication_requests,
    organizations.register,
    connections.register,
  );
  return {
    clients: createTable(CLIENTS, clients),
    organizations: createTable(ORGANIZATIONS, organizations.rows),
    roles: createTable(ROLES, roles.rows),
    users: createTable(USERS, users.rows),
    memberships: createTable(MEMBERSHIPS, memberships),
    connections: createTable(CONNECTIONS, connections.rows),
    connected_accounts: createTable(ACCOUNTS, accounts.rows),
    authorization_links: createTable(LINKS, links),
    verification_requests: createTable(
      VERIFICATION_REQUESTS,
      requests.map(({ row }) => row),
    ),
    custom_providers: providers.table,
    authentication_requests: createTable(AUTH_LOG, log),
  };
};

/** Every id that a row writes out (behaviour I1: an id is never given out twice). */
const writtenIds = (draft: EnvironmentDraft, more: IdSet): IdSet => {
  const ids = more.clone();
  for (const drafts of Object.values(draft.sections)) {
    for (const { form } of drafts) {
      if ('id' in form && form.id !== undefined) ids.set(form.id, true);
      if ('user_profile' in form && form.user_profile?.id !== undefined) ids.set(form.user_profile.id, true);
    }
  }
  return ids;
};
