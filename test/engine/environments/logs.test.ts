import { expect, test } from '@jest/globals';
import { createLog } from '../../../src/engine/environments/log.ts';
import { UsedContract } from '../../../src/engine/environments/used.ts';
import { service } from '../../../src/service/index.ts';

test('a log keeps the newest items in order, and counts the items that it dropped', () => {
  const log = createLog<number>(3);
  for (const item of [1, 2, 3, 4, 5]) log.add(item);
  expect([log.list(), log.last(), log.dropped()]).toEqual([[3, 4, 5], 5, 2]);
  log.clear();
  expect([log.list(), log.last(), log.cleared(), log.dropped()]).toEqual([[], 6, 6, 0]);
});

test('a wait ends when the client goes away, and when the log closes', async () => {
  const log = createLog<string>(10);
  const client = new AbortController();
  const never = (): boolean => false;
  const waits = [log.wait(never, 60_000, client.signal), log.wait(never, 60_000)];
  client.abort();
  log.close();
  await expect(Promise.all(waits)).resolves.toEqual([undefined, undefined]);
});

test('coverage counts only names of the contract, and accepts any body', () => {
  const contract = new UsedContract(service.contract);
  const body = { roles: [{ name: 'admin', unknown: 1 }], metadata: { team: 'core' }, other: 1 };
  const sentNames = ['send_invitation_email', 'unknown'];
  const used = { status: 201, operation: 'createMembership', scenario: 'a', isInjected: false } as const;
  contract.record({ ...used, sentNames, body });
  for (const odd of [undefined, null, 'text', [], [null], { roles: null }, { roles: 'x' }])
    contract.record({ ...used, sentNames: [], body: odd });
  expect(contract.coverage.get('createMembership')).toEqual({
    calls: 8,
    statuses: new Map([[201, 8]]),
    parameters: new Set(['send_invitation_email']),
    members: new Set(['roles', 'roles[].name', 'metadata']),
  });
});

test('a Pact has at most 100 interactions of an operation and a status, the same in whatever order they come', () => {
  const names = ['email', 'start_time', 'end_time', 'resource_id', 'client_id', 'page_size', 'page_token'];
  const sets = Array.from({ length: 128 }, (_, nth) => names.filter((_name, bit) => nth & (1 << bit)));
  const kept = (order: readonly string[][]) => {
    const contract = new UsedContract(service.contract);
    for (const sentNames of order) {
      const query = Object.fromEntries(sentNames.map((name) => [name, 'x']));
      const call = { operation: 'listAuthenticationRequests', status: 200, scenario: 'a' } as const;
      contract.record({ ...call, sentNames, query, reply: { authRequests: [] }, isInjected: false });
    }
    return contract.interactions.map(({ query }) => JSON.stringify(query)).sort();
  };
  expect(kept(sets)).toHaveLength(100);
  expect(kept(sets.toReversed())).toEqual(kept(sets));
});
