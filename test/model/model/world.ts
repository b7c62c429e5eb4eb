/** What the model knows of an environment: plain values, copied whole on every move. It knows nothing of `src`. */

/** What the scenario of the model tests starts from; its rows stand in `scenario.ts` beside the driver. */
export const START = Date.UTC(2026, 2, 1, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The settings that the model counts with (behaviour A6, V1, V6, M1). */
export const TTL = { link: 15 * MINUTE, request: 10 * MINUTE, token: HOUR, invite: 15 * DAY, bearer: DAY };

/** The kinds of connectors there are (behaviour A5, A6, V2), and what is wrong with those that refuse (A3, R1). */
export interface Connector {
  readonly kind: 'oauth' | 'static' | 'delegation' | 'database' | 'open';
  readonly standing: 'usable' | 'disabled' | 'sign-in';
  readonly serverless?: true;
}

export const CONNECTORS: Readonly<Record<string, Connector>> = {
  mail: { kind: 'oauth', standing: 'usable' },
  crm: { kind: 'static', standing: 'usable' },
  workspace: { kind: 'delegation', standing: 'usable' },
  warehouse: { kind: 'database', standing: 'usable' },
  lakehouse: { kind: 'database', standing: 'usable', serverless: true },
  weather: { kind: 'open', standing: 'usable' },
  paused: { kind: 'oauth', standing: 'disabled' },
  login: { kind: 'oauth', standing: 'sign-in' },
};

export const ORGANIZATIONS = ['org_acme', 'org_globex'] as const;
export const USERS = ['usr_000000000000ada', 'usr_0000000000grace', 'usr_0000000noprofile'] as const;
export const EXTERNAL_IDS: Readonly<Record<string, string>> = { 'ext-ada': USERS[0], 'ext-grace': USERS[1] };
export const WITHOUT_PROFILE: string = USERS[2];

export interface Account {
  readonly id: string;
  readonly connector: string;
  readonly identifier: string;
  readonly organization: string | undefined;
  readonly standing: 'ACTIVE' | 'PENDING_AUTH' | 'DISCONNECTED';
  /** When the token ends. */
  readonly end?: number | undefined;
  /** Whether the provider would refresh. */
  readonly grants: boolean;
  /** What is held: nothing, what cannot be refreshed, or what can. */
  readonly held: 'nothing' | 'fixed' | 'refreshable';
  readonly config: Readonly<Record<string, unknown>>;
  readonly used?: number | undefined;
}

export interface Link {
  readonly account: string;
  readonly end: number;
  readonly used: boolean;
  readonly returns: boolean;
  /** The request that its approval opened. */
  readonly request?: string;
}

export interface Request {
  readonly account: string;
  readonly end: number;
  readonly tokenEnd: number;
}

export interface Invite {
  readonly token: string;
  readonly replaced: readonly string[];
  /** Undefined: never. */
  readonly end: number | undefined;
  readonly resent: number;
  readonly revoked: boolean;
}

export interface Membership {
  readonly organization: string;
  readonly user: string;
  readonly standing: 'ACTIVE' | 'INACTIVE' | 'INVITED';
  readonly joined: boolean;
  readonly invite: Invite | undefined;
}

export interface Settings {
  readonly strictVerification: boolean;
  readonly mailFails: boolean;
  readonly fullStack: boolean;
  readonly inviteTtl: boolean;
}

export interface Model {
  readonly now: number;
  readonly settings: Settings;
  /** Oldest first. */
  readonly accounts: readonly Account[];
  readonly links: Readonly<Record<string, Link>>;
  readonly requests: Readonly<Record<string, Request>>;
  readonly memberships: Readonly<Record<string, Membership>>;
  /** Display names by identifier. */
  readonly providers: Readonly<Record<string, string>>;
  readonly logEntries: number;
}

export const FIRST: Model = {
  now: START,
  settings: { strictVerification: false, mailFails: false, fullStack: true, inviteTtl: true },
  accounts: [
    {
      id: 'ca_first',
      connector: 'mail',
      identifier: 'ada@acme.test',
      organization: 'org_acme',
      standing: 'ACTIVE',
      end: START + HOUR,
      grants: true,
      held: 'refreshable',
      config: {},
    },
  ],
  links: {},
  requests: {},
  memberships: {
    'org_acme/usr_000000000000ada': {
      organization: 'org_acme',
      user: USERS[0],
      standing: 'ACTIVE',
      joined: true,
      invite: undefined,
    },
  },
  providers: {},
  logEntries: 0,
};

/** What the model foresees of a call: its status, and the world after it, told by what the server answered. */
export interface Foreseen {
  readonly status: number;
  readonly next?: (answer: Answered) => Model;
  /** What the answer must hold, member by member. */
  readonly shows?: unknown;
}

/** What the model has to take from the server, since it draws no ids and tokens of its own. */
export interface Answered {
  readonly id: string;
  readonly token: string;
}

/** Everything ends at its end (behaviour T9). */
export const hasEnded = (end: number | undefined, { now }: Pick<Model, 'now'>): boolean =>
  end !== undefined && now >= end;
