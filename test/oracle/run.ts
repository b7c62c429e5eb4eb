/** A run of a sequence of steps on the model and the mocks, and the checks after every step. */
import { expect } from '@jest/globals';
import fc, { type AsyncCommand } from 'fast-check';
import { find, shown } from './model/accounts.ts';
import { statusOf } from './model/memberships.ts';
import { firstWorld, type World } from './model/world.ts';
import type { Answer, Twins } from './twins.ts';

/** fast-check passes this to every command. */
export interface Run {
  readonly twins: Twins;
  world: World;
  /** The answer of `GET /state` after the last step. */
  exported: unknown;
  /** The answer of `GET /state` right after a reset. */
  readonly first: unknown;
  readonly snapshots: Map<string, World>;
  /** All ids and tokens since the start, by kind, including those that no longer exist. */
  readonly seen: Map<string, Set<string>>;
  steps: number;
}

/** The names of the snapshots that a run takes. */
export const SNAPSHOTS = ['one', 'two'] as const;

export const startRun = async (twins: Twins): Promise<Run> => {
  await twins.control('POST', '/reset', { journal: true });
  for (const name of SNAPSHOTS) await twins.control('DELETE', `/snapshots/${name}`); // a reset keeps them
  await twins.control('DELETE', '/snapshots');
  const first = await exportState(twins);
  const snapshots = new Map();
  return { twins, world: firstWorld(), exported: first, first, snapshots, seen: new Map(), steps: 0 };
};

export const exportState = async (twins: Twins): Promise<unknown> =>
  (await twins.control('GET', '/state')).body;

export type Command = AsyncCommand<Run, undefined>;

/**
 * Makes a kind of step.
 * @param act calls the mocks and the model, and compares their answers. Returns whether the state may have changed
 * @param applies whether the step is possible now; if not, the sequence skips it
 */
export const command = <Given>(
  name: string,
  given: fc.Arbitrary<Given>,
  act: (run: Run, given: Given) => Promise<boolean>,
  applies: (run: Run, given: Given) => boolean = () => true,
): fc.Arbitrary<Command> =>
  given.map((value) => ({
    toString: () => `${name} ${JSON.stringify(value)}`,
    check: (run) => applies(run, value),
    run: async (run) => {
      const mayChange = await act(run, value);
      await requireInvariants(run, mayChange);
    },
  }));

/** Requires that the answer has the expected status. Returns whether the call may have changed the state. */
export const settle = ({ status, text }: Answer, expected: number): boolean => {
  expect({ status, text }).toEqual({ status: expected, text });
  return status < 400;
};

/** Numbers that `choose` takes. */
export const picks = fc.nat({ max: 60 });

/** Chooses mostly a living id, sometimes a deleted one, now and then an unknown one. */
export const choose = (run: Run, kind: string, living: readonly string[], pick: number): string => {
  const seen = run.seen.get(kind) ?? new Set();
  for (const id of living) seen.add(id);
  run.seen.set(kind, seen);
  const among = pick % 8 < 5 && living.length > 0 ? living : [...seen];
  return (pick % 8 === 7 ? undefined : among[pick % among.length]) ?? `${kind}_unknown`;
};

/** Whether there is a living id to choose, or the number stands for the unknown id. */
export const isChosen = (living: object, pick: number): boolean =>
  Object.keys(living).length > 0 || pick % 8 === 7;

const requireInvariants = async (run: Run, mayChange: boolean): Promise<void> => {
  const exported = await exportState(run.twins);
  if (!mayChange) expect(exported).toEqual(run.exported);
  run.exported = exported;
  run.steps += 1;
  if (run.steps % 50 === 0) await run.twins.requireNoLeak();
  if (!mayChange) return; // an unchanged state still agrees with the model
  await requireAccounts(run);
  await requireMemberships(run);
  const log = await run.twins.call('GET', '/api/v1/logs/authentication/requests?page_size=1');
  expect(log.body.total_size).toBe(run.world.logEntries);
};

/** Requires that the list, read in two pages, has the accounts of the model, in the same order. */
const requireAccounts = async ({ world, twins }: Run): Promise<void> => {
  const size = Math.max(1, Math.ceil(world.accounts.length / 2));
  const rows = await listAccounts(twins, size);
  const visible = rows.map(({ connection_id, provider, authorization_type, updated_at, ...row }) => row);
  expect(visible).toEqual(world.accounts.map((account) => shown(world, account)));
};

/** Reads a list page by page, and requires that `total_size` counts its rows. */
export const listAccounts = async (twins: Twins, page_size: number): Promise<Record<string, unknown>[]> => {
  const rows: Record<string, unknown>[] = [];
  const sizes = new Set<number>();
  let page_token = '';
  do {
    const query = new URLSearchParams({ page_size: String(page_size), page_token });
    const { body } = await twins.call('GET', `/api/v1/connected_accounts?${query}`);
    rows.push(...body.connected_accounts);
    sizes.add(body.total_size);
    page_token = body.next_page_token;
  } while (page_token !== '');
  expect([...sizes]).toEqual([rows.length]);
  return rows;
};

/** Requires that all memberships agree with the model. An empty update shows them without a change (behaviour M3). */
const requireMemberships = async ({ world, twins }: Run): Promise<void> => {
  const users = new Map(world.memberships.map(({ user, organization }) => [user, organization]));
  for (const [user, organization] of users) {
    const path = `/api/v1/memberships/organizations/${organization}/users/${user}`;
    const { body } = await twins.call('PATCH', path, { body: {} });
    const actual = body.user.memberships.map(
      (one: Record<string, unknown>) => `${one.organization_id} ${one.membership_status}`,
    );
    const expected = world.memberships
      .filter((one) => one.user === user)
      .map((one) => `${one.organization} ${statusOf(world, one)}`);
    expect(actual.sort()).toEqual(expected.sort());
  }
};

/** Requires that the account in an answer agrees with the model. */
export const requireShown = ({ world }: Run, answer: Answer, id: string): void => {
  const account = find(world, { id });
  if (!account) throw new Error(`The model does not have ${id}.`);
  expect(answer.body.connected_account).toMatchObject({
    ...JSON.parse(JSON.stringify(shown(world, account))), // drops undefined members
    api_config: account.config,
  });
};
