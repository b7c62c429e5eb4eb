/** A run: the model beside the mocks, what both have seen so far, and what must hold after every step. */
import { isDeepStrictEqual } from 'node:util';
import { shown } from './model/accounts.ts';
import { statusOf } from './model/memberships.ts';
import { type Answered, FIRST, type Foreseen, type Membership, type Model } from './model/world.ts';
import type { Answer, Twins } from './twins.ts';

/** The model as a run carries it along; fast-check hands it to every command. */
export interface Run {
  model: Model;
  /** What `GET /state` gave after the last step. */
  exported: string;
  /** The same of the very first state. */
  first: string;
  readonly snapshots: Map<string, Model>;
  /** Ids and tokens that were ever given out; of those that are gone, too. */
  readonly seen: {
    readonly accounts: string[];
    readonly links: string[];
    readonly requests: string[];
    readonly invitations: string[];
    readonly providers: string[];
  };
  steps: number;
}

/** Sets the mocks to their start and a model beside them. */
export const startRun = async (twins: Twins): Promise<Run> => {
  await twins.control('POST', '/reset', { journal: true });
  await twins.control('DELETE', '/snapshots');
  twins.secrets.clear();
  const first = await exportState(twins);
  return {
    model: FIRST,
    exported: first,
    first,
    snapshots: new Map(),
    seen: { accounts: ['ca_first'], links: [], requests: [], invitations: [], providers: [] },
    steps: 0,
  };
};

/** The state as it is exported, its members in one order. */
export const exportState = async (twins: Twins): Promise<string> =>
  JSON.stringify((await twins.control('GET', '/state')).body, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
      : value,
  );

/** Holds an answer to what was foreseen, and moves the model on. */
export const settle = (
  run: Run,
  foreseen: Foreseen,
  answer: Answer,
  answered: Partial<Answered> = {},
): void => {
  if (answer.status !== foreseen.status)
    throw new Error(`Foreseen ${foreseen.status}, answered ${answer.status}: ${answer.text.slice(0, 600)}`);
  if (foreseen.shows) requireMembers(answer.body, foreseen.shows);
  if (foreseen.next) run.model = foreseen.next({ id: '', token: '', ...answered });
};

/** The members that are given; all else may be there. */
export const requireMembers = (actual: unknown, expected: unknown, path = 'body'): void => {
  if (typeof expected === 'object' && expected !== null) {
    for (const [name, value] of Object.entries(expected)) {
      const held: unknown = Object(actual)[name];
      requireMembers(held, value, `${path}.${name}`);
    }
    return;
  }
  if (!Object.is(actual, expected)) throw new Error(`${path} is ${String(actual)}, not ${String(expected)}.`);
};

/** What must hold after each step. @param before what the state was exported as, if the step may not have changed it */
export const requireInvariants = async (
  run: Run,
  twins: Twins,
  before: string | undefined,
): Promise<void> => {
  const exported = await exportState(twins);
  if (before !== undefined && exported !== before)
    throw new Error(`A call that changes nothing changed the state:\n${difference(before, exported)}`);
  run.exported = exported;
  run.steps += 1;
  if (run.steps % 50 === 0) await twins.requireNoLeak();
  if (before !== undefined) return; // the same state at the same time reads the same
  await requireAccounts(run.model, twins);
  await requireMemberships(run.model, twins);
  const log = await twins.call({ method: 'GET', path: '/api/v1/logs/authentication/requests?page_size=1' });
  requireMembers(log.body, { total_size: run.model.logEntries });
};

const SUMMARY = [
  'authorization_type',
  'connection_id',
  'connector',
  'id',
  'identifier',
  'last_used_at',
  'provider',
  'status',
  'token_expires_at',
  'updated_at',
];

/** Pages of about half of all accounts: the same rows in the same order, one per pair, as many as are counted. */
const requireAccounts = async (model: Model, twins: Twins): Promise<void> => {
  const size = Math.max(1, Math.ceil(model.accounts.length / 2));
  const rows: Record<string, unknown>[] = [];
  let token = '';
  do {
    const path = `/api/v1/connected_accounts?page_size=${size}&page_token=${token}`;
    const { body } = await twins.call({ method: 'GET', path });
    requireMembers(body, { total_size: model.accounts.length });
    rows.push(...body.connected_accounts);
    token = body.next_page_token;
  } while (token !== '');
  if (rows.length !== model.accounts.length)
    throw new Error(`${rows.length} accounts are listed, and there are ${model.accounts.length}.`);
  for (const [index, account] of model.accounts.entries()) {
    const row = rows[index] ?? {};
    requireMembers(row, shown(model, account), `account ${account.connector} ${account.identifier}`);
    const odd = Object.keys(row).filter((name) => !SUMMARY.includes(name));
    if (odd.length > 0) throw new Error(`A listed account shows ${odd.join(', ')}.`);
  }
  if (new Set(rows.map((row) => `${row.connector} ${row.identifier}`)).size !== rows.length)
    throw new Error('Two accounts have one pair.');
};

/** An update that sends nothing shows a user with all memberships, and changes nothing (behaviour M3). */
const requireMemberships = async (model: Model, twins: Twins): Promise<void> => {
  for (const [user, memberships] of groupByUser(model)) {
    const path = `/api/v1/memberships/organizations/${memberships[0]?.organization}/users/${user}`;
    const { body } = await twins.call({ method: 'PATCH', path, body: {} });
    const actual = body.user.memberships.map(
      (one: Record<string, unknown>) => `${one.organization_id} ${one.membership_status}`,
    );
    const expected = memberships.map((one) => `${one.organization} ${statusOf(model, one)}`);
    if (!isDeepStrictEqual(actual.sort(), expected.sort()))
      throw new Error(`User ${user} is ${actual.join(', ')}; foreseen ${expected.join(', ')}.`);
  }
};

const groupByUser = (model: Model): Map<string, Membership[]> => {
  const groups = new Map<string, Membership[]>();
  for (const membership of Object.values(model.memberships))
    groups.set(membership.user, [...(groups.get(membership.user) ?? []), membership]);
  return groups;
};

const difference = (before: string, after: string): string => {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at += 1;
  return `${before.slice(Math.max(0, at - 100), at + 200)}\n${after.slice(Math.max(0, at - 100), at + 200)}`;
};
