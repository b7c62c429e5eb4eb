/** Commands on the rest: lists, providers, access tokens, sign-ins, and calls that are wrong in every way. */
import fc from 'fast-check';
import type * as accounts from '../model/accounts.ts';
import { type Foreseen, hasEnded, TTL } from '../model/world.ts';
import { requireMembers, settle } from '../run.ts';
import { CLIENT, CREDENTIAL, FORBIDDEN } from '../scenario.ts';
import type { Call } from '../twins.ts';
import { type Command, choose, command, remember } from './command.ts';

const filters = fc.record(
  {
    connector: fc.constantFrom('mail', 'CRM', 'nowhere'),
    identifier: fc.constantFrom('ada@acme.test', 'grace@acme.test'),
    organization_id: fc.constantFrom('org_acme', 'org_globex'),
  },
  { requiredKeys: [] },
);

export const listAccounts: fc.Arbitrary<Command> = fc
  .record({ filters, size: fc.integer({ min: 1, max: 4 }) })
  .map(({ filters: by, size }) =>
    command(`list ${JSON.stringify(by)} by ${size}`, async (run, twins) => {
      const foreseen = run.model.accounts.filter(
        (account) =>
          (by.connector === undefined || account.connector === by.connector.toLowerCase()) &&
          (by.identifier === undefined || account.identifier === by.identifier) &&
          (by.organization_id === undefined || account.organization === by.organization_id),
      );
      const path = (token: string) =>
        `/api/v1/connected_accounts?${new URLSearchParams({ ...by, page_size: String(size), page_token: token })}`;
      let { body } = await twins.call({ method: 'GET', path: path('') });
      const ids: string[] = [];
      for (;;) {
        ids.push(...body.connected_accounts.map(({ id }: { id: string }) => id));
        requireMembers(body, { total_size: foreseen.length });
        if (body.next_page_token === '') break;
        ({ body } = await twins.call({ method: 'GET', path: path(body.next_page_token) }));
      }
      requireMembers(
        ids,
        foreseen.map(({ id }) => id),
        'ids',
      );
      requireMembers(ids, { length: foreseen.length }, 'ids');
      return { status: 200 };
    }),
  );

export const search: fc.Arbitrary<Command> = fc.constantFrom('ACME', 'mail', 'ünï', 'xy').map((text) =>
  command(`search ${text}`, async (run, twins) => {
    const isTooShort = text.length < 3;
    const holds = ({
      connector,
      identifier,
    }: accounts.Address & { connector: string; identifier: string }): boolean =>
      [connector, identifier].some((member) => member.toLowerCase().includes(text.toLowerCase()));
    const foreseen: Foreseen = isTooShort
      ? { status: 400 }
      : { status: 200, shows: { total_size: run.model.accounts.filter(holds).length } };
    const path = `/api/v1/connected_accounts:search?query=${encodeURIComponent(text)}`;
    settle(run, foreseen, await twins.call({ method: 'GET', path }));
    return foreseen;
  }),
);

const names = fc.constantFrom('Wiki', 'WIKI', 'Desk', 'Ünï');
const body = (display_name: string) => ({
  display_name,
  auth_patterns: [{ type: 'API_KEY' }],
  metadata: { team: 'core' },
});

export const createProvider: fc.Arbitrary<Command> = names.map((name) =>
  command(`create provider ${name}`, async (run, twins) => {
    const isTaken = Object.values(run.model.providers).some(
      (one) => one.toLowerCase() === name.toLowerCase(),
    );
    const foreseen: Foreseen = isTaken
      ? { status: 409 }
      : {
          status: 201,
          next: ({ id }) => ({ ...run.model, providers: { ...run.model.providers, [id]: name } }),
        };
    const answer = await twins.call({ method: 'POST', path: '/api/v1/custom-providers', body: body(name) });
    const identifier = answer.body?.provider?.identifier;
    settle(run, foreseen, answer, { id: identifier });
    if (identifier) remember(run.seen.providers, identifier);
    return foreseen;
  }),
);

export const changeProvider: fc.Arbitrary<Command> = fc
  .record({ pick: fc.nat({ max: 20 }), name: names, isDelete: fc.boolean() })
  .map(({ pick, name, isDelete }) =>
    command(`${isDelete ? 'delete' : 'rename'} provider ${pick} to ${name}`, async (run, twins) => {
      const id = choose(run.seen.providers, pick, 'NOBODY');
      const { [id]: current, ...others } = run.model.providers;
      const isTaken = Object.values(others).some((one) => one.toLowerCase() === name.toLowerCase());
      const providers = isDelete ? others : { ...run.model.providers, [id]: name };
      const foreseen: Foreseen =
        current === undefined
          ? { status: 404 }
          : !isDelete && isTaken
            ? { status: 409 }
            : { status: 200, next: () => ({ ...run.model, providers }) };
      const path = `/api/v1/custom-providers/${encodeURIComponent(id)}`;
      settle(
        run,
        foreseen,
        await twins.call({
          method: isDelete ? 'DELETE' : 'PUT',
          path,
          ...(!isDelete && { body: body(name) }),
        }),
      );
      return foreseen;
    }),
  );

/** Behaviour E3: a token ends by the clock, and is valid again when that is set back. */
export const useToken: fc.Arbitrary<Command> = fc
  .record({ isRight: fc.boolean(), waits: fc.constantFrom(0, TTL.bearer - 1_000, TTL.bearer) })
  .map(({ isRight, waits }) =>
    command(
      `token with the ${isRight ? 'right' : 'wrong'} secret, used after ${waits} ms`,
      async (run, twins) => {
        const form = new URLSearchParams({
          grant_type: 'client_credentials',
          ...CLIENT,
          ...(!isRight && { client_secret: `${CREDENTIAL}wrong` }),
        });
        const raw = { type: 'application/x-www-form-urlencoded', text: String(form) };
        const issued = await twins.call({
          method: 'POST',
          path: '/oauth/token',
          raw,
          token: null,
          mayShowCredentials: isRight,
        });
        const foreseen: Foreseen = isRight
          ? { status: 200, shows: { expires_in: TTL.bearer / 1_000 } }
          : { status: 401 };
        settle(run, foreseen, issued);
        if (!isRight) return foreseen;
        const token: string = issued.body.access_token;
        twins.secrets.add(token);
        const { now } = run.model;
        const clock = (instant: number) =>
          twins.control('PUT', '/clock', { mode: 'frozen', now: new Date(instant).toISOString() });
        await clock(now + waits);
        // The token's end is in whole seconds.
        const end = Math.floor(now / 1_000) * 1_000 + TTL.bearer;
        const isOver = hasEnded(end, { now: now + waits });
        settle(
          run,
          { status: isOver ? 401 : 200 },
          await twins.call({ method: 'GET', path: '/api/v1/connections', token }),
        );
        await clock(now);
        settle(run, { status: 200 }, await twins.call({ method: 'GET', path: '/api/v1/connections', token }));
        return { status: 200 };
      },
    ),
  );

export const signIn: fc.Arbitrary<Command> = fc
  .constantFrom('success', 'failed', 'pending', 'initiated')
  .map((outcome) =>
    command(`sign-in, ${outcome}`, async (run, twins) => {
      const foreseen: Foreseen = {
        status: 201,
        next: () => ({ ...run.model, logEntries: run.model.logEntries + 1 }),
      };
      settle(run, foreseen, await twins.control('POST', '/sign-ins', { email: 'ada@acme.test', outcome }));
      return foreseen;
    }),
  );

const json = (text: string) => ({ type: 'application/json', text });
const ACCOUNTS = '/api/v1/connected_accounts';
const WIKI = { display_name: 'Wiki', auth_patterns: [{ type: 'API_KEY' }] };

/** What is wrong, what stands for it, and the status; hidden strings where a message might repeat them. */
const WRONG: readonly (readonly [string, Call, number])[] = [
  ['no token', { method: 'GET', path: ACCOUNTS, token: null }, 401],
  ['an unknown token', { method: 'GET', path: ACCOUNTS, token: `${CREDENTIAL}unknown` }, 401],
  ['a wrong method', { method: 'DELETE', path: ACCOUNTS }, 501],
  ['an unknown path', { method: 'GET', path: `${ACCOUNTS}/` }, 404],
  ['no JSON', { method: 'POST', path: ACCOUNTS, raw: json(`{"a": ${FORBIDDEN}`) }, 400],
  [
    'another media type',
    { method: 'POST', path: ACCOUNTS, raw: { type: 'text/plain', text: FORBIDDEN } },
    400,
  ],
  [
    '__proto__',
    {
      method: 'POST',
      path: ACCOUNTS,
      raw: json(`{"connector":"mail","identifier":"p","__proto__":{"x":1}}`),
    },
    400,
  ],
  [
    'members of wrong types',
    {
      method: 'POST',
      path: ACCOUNTS,
      body: {
        connector: 7,
        identifier: null,
        connected_account: {
          authorization_details: { oauth_token: { access_token: { hidden: FORBIDDEN } } },
        },
      },
    },
    400,
  ],
  [
    'scopes that are no list',
    {
      method: 'PUT',
      path: ACCOUNTS,
      body: { connected_account: { authorization_details: { oauth_token: { scopes: { not: 'a list' } } } } },
    },
    400,
  ],
  ['an update that names nothing', { method: 'PUT', path: ACCOUNTS, body: {} }, 400],
  [
    'a connector with a slash',
    { method: 'POST', path: ACCOUNTS, body: { connector: 'ma/il', identifier: 'a' } },
    400,
  ],
  [
    'an identifier that is too long',
    { method: 'POST', path: ACCOUNTS, body: { connector: 'mail', identifier: 'x'.repeat(101) } },
    400,
  ],
  ['an id of another kind', { method: 'GET', path: `${ACCOUNTS}/auth?id=usr_000000000000ada` }, 400],
  ['a page size', { method: 'GET', path: `${ACCOUNTS}?page_size=101` }, 400],
  ['a page token', { method: 'GET', path: `${ACCOUNTS}?page_token=bm90LW91cnM` }, 400],
  ['a status', { method: 'GET', path: '/api/v1/logs/authentication/requests?status=WON' }, 400],
  [
    'a time that is none',
    { method: 'GET', path: '/api/v1/logs/authentication/requests?start_time=2026-02-30T00:00:00Z' },
    400,
  ],
  [
    'metadata with a short key',
    {
      method: 'PATCH',
      path: '/api/v1/memberships/organizations/org_acme/users/usr_000000000000ada',
      body: { metadata: { ab: 'x' } },
    },
    400,
  ],
  [
    'an inviter that is no address',
    {
      method: 'POST',
      path: '/api/v1/memberships/organizations/org_globex/users/usr_000000000000ada',
      body: { inviter_email: 'nobody' },
    },
    400,
  ],
  [
    'a user id that is too short',
    { method: 'DELETE', path: '/api/v1/memberships/organizations/org_acme/users/usr_1' },
    400,
  ],
  [
    'a proxy without https',
    { method: 'POST', path: '/api/v1/custom-providers', body: { ...WIKI, proxy_url: 'http://x.test' } },
    400,
  ],
  [
    'no auth_patterns',
    { method: 'POST', path: '/api/v1/custom-providers', body: { display_name: 'Wiki' } },
    400,
  ],
  [
    'an address to return to that is no web address',
    {
      method: 'POST',
      path: `${ACCOUNTS}/magic_link`,
      body: { id: 'ca_first', user_verify_url: 'javascript:alert(1)' },
    },
    400,
  ],
  [
    'an unknown member in strict mode',
    {
      method: 'POST',
      path: ACCOUNTS,
      headers: { 'x-mock-strict': '1' },
      body: { connector: 'crm', identifier: 'strict', colour: 'red' },
    },
    400,
  ],
  [
    'a preferred failure',
    {
      method: 'POST',
      path: ACCOUNTS,
      headers: { prefer: 'code=504' },
      body: { connector: 'crm', identifier: 'late' },
    },
    504,
  ],
  [
    'another grant',
    {
      method: 'POST',
      path: '/oauth/token',
      token: null,
      raw: {
        type: 'application/x-www-form-urlencoded',
        text: `grant_type=password&client_id=model-client&client_secret=${FORBIDDEN}`,
      },
    },
    400,
  ],
  [
    "an environment that is not the token's",
    { method: 'GET', path: ACCOUNTS, headers: { 'x-mock-environment': 'nowhere' } },
    401,
  ],
];

export const wrongCall: fc.Arbitrary<Command> = fc.constantFrom(...WRONG).map(([what, call, status]) =>
  command(`wrong: ${what}`, async (run, twins) => {
    settle(run, { status }, await twins.call(call));
    return { status };
  }),
);

const READS = [
  '/keys',
  '/.well-known/openid-configuration',
  '/api/v1/connections',
  '/api/v1/connections?include=all',
  '/openapi.json',
  '/api/v1/logs/authentication/requests?status=success',
];

export const read: fc.Arbitrary<Command> = fc.constantFrom(...READS).map((path) =>
  command(`read ${path}`, async (run, twins) => {
    settle(run, { status: 200 }, await twins.call({ method: 'GET', path }));
    return { status: 200 };
  }),
);
