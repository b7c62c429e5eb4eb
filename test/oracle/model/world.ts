/** What the model knows about an environment. The model shares no code with `src`. */

export const START = Date.UTC(2026, 2, 1, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** How long things last, by default (behaviour A6, V1, V6, M1). */
export const TTL = { link: 15 * MINUTE, request: 10 * MINUTE, token: HOUR, invite: 15 * DAY };

/**
 * A connector, as a row of the scenario. Its type decides which credentials its accounts hold (behaviour A5, A6, V2). One
 * that is for signing in or not enabled refuses accounts (R1, A3).
 */
export interface Connector {
  readonly type: 'OAUTH' | 'API_KEY' | 'VENDORB_DWD' | 'TRUSTED_IDP' | 'NO_AUTH' | 'OIDC';
  readonly enabled?: false;
  readonly serverless?: true;
  readonly scopes?: readonly string[];
}

export const CONNECTORS: Readonly<Record<string, Connector>> = {
  mail: { type: 'OAUTH', scopes: ['read', 'write'] },
  crm: { type: 'API_KEY' },
  workspace: { type: 'VENDORB_DWD' },
  warehouse: { type: 'TRUSTED_IDP' },
  lakehouse: { type: 'TRUSTED_IDP', serverless: true },
  weather: { type: 'NO_AUTH' },
  paused: { type: 'OAUTH', enabled: false },
  login: { type: 'OIDC' },
};

export const ORGANIZATIONS = ['org_acme', 'org_globex'];
export const ADA = 'usr_000000000000ada';
export const WITHOUT_PROFILE = 'usr_0000000noprofile';
export const USERS = [ADA, 'usr_0000000000grace', WITHOUT_PROFILE];

export type Standing = 'ACTIVE' | 'PENDING_AUTH' | 'DISCONNECTED';

export interface Account {
  id: string;
  connector: string;
  identifier: string;
  organization_id: string | undefined;
  standing: Standing;
  /** When the token expires, if it does. */
  end?: number | undefined;
  /** Whether the provider would refresh the token. */
  grants: boolean;
  /** The credentials: none, some without a refresh token, or some with one. */
  held: 'nothing' | 'fixed' | 'refreshable';
  config: object;
  used?: number;
}

export interface Link {
  account: string;
  end: number;
  used: boolean;
  returns: boolean;
  /** The id of the request that the approval of the link opened. */
  request?: string | undefined;
}

export interface Membership {
  organization: string;
  user: string;
  standing: 'ACTIVE' | 'INACTIVE' | 'INVITED';
  joined: boolean;
  invite?: { token: string; replaced: string[]; end: number; resent: number; revoked: boolean };
}

export interface World {
  now: number;
  /** Oldest first. */
  accounts: Account[];
  /** By token. */
  links: Record<string, Link>;
  /** By id: approvals that wait for verification. */
  requests: Record<string, { account: string; end: number; tokenEnd: number }>;
  memberships: Membership[];
  logEntries: number;
}

export const firstWorld = (): World => ({
  now: START,
  accounts: [firstAccount()],
  links: {},
  requests: {},
  memberships: [{ organization: 'org_acme', user: ADA, standing: 'ACTIVE', joined: true }],
  logEntries: 0,
});

const firstAccount = (): Account => ({
  ...{ id: 'ca_first', connector: 'mail', identifier: 'ada@acme.test', organization_id: 'org_acme' },
  ...{ standing: 'ACTIVE', end: START + HOUR, grants: true, held: 'refreshable', config: {} },
});

/** Behaviour T9: a thing has ended as soon as the clock reaches its end. */
export const hasEnded = (end: number | undefined, { now }: World): boolean => end !== undefined && now >= end;
