/** Steps on lists, tokens, the clock, settings, snapshots and the whole state. */
import { expect } from '@jest/globals';
import fc from 'fast-check';
import * as providers from '../model/providers.ts';
import { firstWorld, hasEnded, TTL } from '../model/world.ts';
import { choose, command, exportState, listAccounts, picks, type Run, SNAPSHOTS, settle } from '../run.ts';
import { CLIENT, CREDENTIAL, SCENARIOS } from '../scenario.ts';

const filters = fc.record(
  {
    connector: fc.constantFrom('mail', 'CRM', 'nowhere'),
    identifier: fc.constantFrom('ada@acme.test', 'grace@acme.test'),
    organization_id: fc.constantFrom('org_acme', 'org_globex'),
  },
  { requiredKeys: [] },
);

const list = command(
  'list',
  fc.record({ by: filters, size: fc.nat({ max: 3 }) }),
  async (run, { by, size }) => {
    const expected = run.world.accounts.filter(
      (account) =>
        (by.connector ?? account.connector).toLowerCase() === account.connector &&
        (by.identifier ?? account.identifier) === account.identifier &&
        (by.organization_id ?? account.organization_id) === account.organization_id,
    );
    const rows = await listAccounts(run.twins, { ...by, page_size: String(size + 1) });
    expect(rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    return false;
  },
);

const setClock = ({ twins }: Run, now: number) =>
  twins.control('PUT', '/clock', { mode: 'frozen', now: new Date(now).toISOString() });

/** Behaviour E3: a token expires by the clock, in whole seconds, and is valid again when the clock is set back. */
const useToken = command(
  'token',
  fc.record({ isRight: fc.boolean(), waits: fc.constantFrom(0, TTL.bearer - 1_000, TTL.bearer) }),
  async (run, { isRight, waits }) => {
    const { world, twins } = run;
    const client_secret = isRight ? CLIENT.client_secret : `${CREDENTIAL}wrong`;
    const body = new URLSearchParams({ grant_type: 'client_credentials', ...CLIENT, client_secret });
    const issued = await twins.call('POST', '/oauth/token', {
      body,
      token: null,
      mayShowCredentials: isRight,
    });
    if (!settle(issued, isRight ? 200 : 401)) return false;
    expect(issued.body.expires_in).toBe(TTL.bearer / 1_000);
    const { access_token: token } = issued.body;
    const end = Math.floor(world.now / 1_000) * 1_000 + TTL.bearer;
    for (const now of [world.now + waits, world.now]) {
      await setClock(run, now);
      const isOver = hasEnded(end, { ...world, now });
      settle(await twins.call('GET', '/api/v1/connections', { token }), isOver ? 401 : 200);
    }
    return true;
  },
);

const createProvider = command(
  'provider',
  fc.constantFrom('Wiki', 'wiki', 'Mail room', 'ticket DESK'),
  async ({ world, twins }, display_name) => {
    const body = { display_name, proxy_url: 'https://a.test', auth_patterns: [{ type: 'API_KEY' }] };
    const answer = await twins.call('POST', '/api/v1/custom-providers', { body });
    return settle(answer, providers.create(world, display_name, answer.body.provider?.identifier));
  },
);

/** A provider that a connection uses is not removed (behaviour P3). */
const removeProvider = command('remove provider', picks, async (run, pick) => {
  const identifier = choose(run, 'provider', Object.keys(run.world.providers), pick);
  const path = `/api/v1/custom-providers/${encodeURIComponent(identifier)}`;
  return settle(await run.twins.call('DELETE', path), providers.remove(run.world, identifier));
});

const outcome = fc.constantFrom('success', 'failed', 'pending', 'initiated');
const signIn = command('sign-in', fc.record({ outcome }), async ({ world, twins }, given) => {
  world.logEntries += 1;
  return settle(await twins.control('POST', '/sign-ins', { email: 'ada@acme.test', ...given }), 201);
});

/** Milliseconds: 0 and each lifetime, exactly or with a millisecond less or more. */
const spans = fc
  .tuple(fc.constantFrom(0, ...Object.values(TTL)), fc.constantFrom(-1, 0, 1))
  .map(([span, more]) => Math.max(0, span + more));

const advance = command('advance', spans, async ({ world, twins }, span) => {
  world.now += span;
  return settle(await twins.control('POST', '/clock/advance', { by: `PT${span / 1_000}S` }), 200);
});

const goBack = command('go back', spans, async (run, span) => {
  run.world.now -= span;
  return settle(await setClock(run, run.world.now), 200);
});

/** The values at which settings refuse calls. A step sets at most one of them, and the other settings back. */
const changed = { strictVerification: true, mailFails: true, fullStack: false, inviteTtl: false };
const switches = fc.constantFrom(
  {},
  {},
  {},
  ...Object.entries(changed).map((entry) => Object.fromEntries([entry])),
);

const changeSettings = command('settings', switches, async ({ world, twins }, given) => {
  world.settings = { ...firstWorld('full').settings, ...given };
  const answer = await twins.control('PATCH', '/settings', {
    user_verification: world.settings.strictVerification ? 'strict' : 'lenient',
    email_delivery: world.settings.mailFails ? 'fail' : 'ok',
    full_stack_authentication: world.settings.fullStack,
    invite_ttl: world.settings.inviteTtl ? '15d' : null,
  });
  return settle(answer, 200);
});

const restart = async (run: Run, body: object): Promise<boolean> => {
  run.world = firstWorld(run.scenario);
  const isDone = settle(await run.twins.control('POST', '/reset', body), 200);
  run.first[run.scenario] ??= await exportState(run.twins);
  expect(await exportState(run.twins)).toEqual(run.first[run.scenario]);
  return isDone;
};

const reset = command('reset', fc.constant(''), (run) => restart(run, { journal: true }));

/** A later reset returns to the scenario of the last switch. Snapshots stay. */
const switchScenario = command('switch', fc.constantFrom('full', 'empty'), (run, scenario) => {
  run.scenario = scenario;
  return restart(run, { scenario: SCENARIOS[scenario] });
});

const names = fc.constantFrom(...SNAPSHOTS);

const takeSnapshot = command('snapshot', names, async (run, name) => {
  const isTaken = run.snapshots.has(name);
  if (!isTaken) run.snapshots.set(name, structuredClone(run.world));
  settle(await run.twins.control('POST', '/snapshots', { name }), isTaken ? 409 : 201);
  return false;
});

const restoreSnapshot = command('restore', names, async (run, name) => {
  const taken = run.snapshots.get(name);
  if (taken) run.world = structuredClone(taken);
  return settle(await run.twins.control('POST', `/snapshots/${name}/restore`), taken ? 200 : 404);
});

/** Putting the exported state back changes nothing. */
const roundTrip = command('export and put back', fc.constant(''), async (run) => {
  const isDone = settle(await run.twins.control('PUT', '/state', run.exported), 200);
  expect(await exportState(run.twins)).toEqual(run.exported);
  return isDone;
});

export const OTHER_COMMANDS = [
  ...[list, useToken, signIn, createProvider, removeProvider],
  ...[advance, goBack, changeSettings, reset, switchScenario, takeSnapshot, restoreSnapshot, roundTrip],
];
