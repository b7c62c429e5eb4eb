/** Commands on connected accounts: every operation and every control action. */
import fc from 'fast-check';
import * as accounts from '../model/accounts.ts';
import type { Foreseen } from '../model/world.ts';
import { type Run, requireMembers, settle } from '../run.ts';
import { CREDENTIAL, FORBIDDEN } from '../scenario.ts';
import type { Answer, Twins } from '../twins.ts';
import { type Command, choose, command, remember } from './command.ts';

const PATH = '/api/v1/connected_accounts';

const connectors = fc.constantFrom(
  ...['mail', 'mail', 'crm', 'crm', 'workspace', 'warehouse', 'lakehouse', 'weather'],

  'mail',
  'Mail',
  'crm',
  'workspace',
  'warehouse',
  'lakehouse',
  'weather',
  'paused',
  'login',
  'nowhere',
);
const identifiers = fc.constantFrom('ada@acme.test', 'grace@acme.test', 'Ünï 😀');
const organizations = fc.constantFrom(
  ...new Array<undefined>(6).fill(undefined),
  'org_acme',
  'org_globex',
  'org_nobody',
);
const sent = fc.constantFrom<accounts.Sent>(
  'none',
  'none',
  'wrong',
  'fitting',
  'fitting',
  'refreshable',
  'refreshable',
);
const configs = fc.constantFrom<Readonly<Record<string, unknown>>>(
  {},
  { folder: 'inbox' },
  { folder: 'sent', deep: { list: [1, null] } },
);

/** An account, by its number in the list of accounts seen so far or by its pair. */
export type Named = { readonly pick: number } | { readonly connector: string; readonly identifier: string };

export const named: fc.Arbitrary<Named> = fc.oneof(
  { arbitrary: fc.record({ pick: fc.nat({ max: 60 }) }), weight: 4 },
  { arbitrary: fc.record({ connector: connectors, identifier: identifiers }), weight: 1 },
);

const chooseAccount = ({ model, seen }: Run, pick: number): string =>
  choose(
    model.accounts.map(({ id }) => id),
    seen.accounts,
    pick,
    'ca_nobody',
  );

export const addressOf = (run: Run, one: Named, organization: string | undefined): accounts.Address =>
  'pick' in one ? { id: chooseAccount(run, one.pick), organization } : { ...one, organization };

export const nameOf = (one: Named): string =>
  'pick' in one ? `account ${one.pick}` : `${one.connector} ${one.identifier}`;

/** As the API wants an address: the model's word for the organization is shorter. */
export const toWire = ({ organization, ...address }: accounts.Address) => ({
  ...address,
  ...(organization !== undefined && { organization_id: organization }),
});

/** What a caller sends, with members that are dropped or never shown mixed in (behaviour A5). */
const credentials = (connector: string, kindOf: accounts.Sent, number: number): object | undefined => {
  const kind = accounts.connectorOf(connector)?.kind;
  if (kindOf === 'none') return number % 2 === 0 ? {} : undefined;
  const isStatic = kindOf === 'wrong' ? kind !== 'static' : kind === 'static';
  if (isStatic) return { static_auth: { details: { api_key: `${CREDENTIAL}key-${number}` } } };
  if (kindOf === 'wrong' || kind === 'oauth' || kind === undefined || kind === 'open') {
    const refresh = kindOf === 'refreshable' && { refresh_token: `${CREDENTIAL}refresh-${number}` };
    return { oauth_token: { access_token: `${CREDENTIAL}access-${number}`, ...refresh } };
  }
  const secret = { access_token: FORBIDDEN, secret_access_key: FORBIDDEN, session_token: FORBIDDEN };
  return kind === 'delegation'
    ? { vendorb_dwd: { subject: `subject-${number}`, ...secret } }
    : { trusted_idp: { db_user: `user_${number}`, access_key_id: FORBIDDEN, ...secret } };
};

/** What the server minted must not be found again in what is recorded. */
const keepSecrets = ({ body }: Answer, twins: Twins): void => {
  const { oauth_token, vendorb_dwd, trusted_idp } = body?.connected_account?.authorization_details ?? {};
  for (const secret of [
    oauth_token?.access_token,
    oauth_token?.refresh_token,
    vendorb_dwd?.access_token,
    trusted_idp?.access_key_id,
  ])
    if (typeof secret === 'string' && twins.secrets.size < 500) twins.secrets.add(secret);
};

const requireShown = (run: Run, answer: Answer, address: accounts.Address): void => {
  const account = accounts.find(run.model, address);
  if (answer.status >= 300 || !account) return;
  requireMembers(answer.body.connected_account, {
    ...accounts.shown(run.model, account),
    api_config: account.config,
  });
};

const createAccount: fc.Arbitrary<Command> = fc
  .record({
    connector: connectors,
    identifier: identifiers,
    organization: organizations,
    sent,
    config: configs,
    number: fc.noBias(fc.nat({ max: 999_999 })),
  })
  .map((given) =>
    command(
      `create ${given.connector} ${given.identifier} of ${given.organization} with ${given.sent} credentials`,
      async (run, twins) => {
        const { connector, identifier, organization, config } = given;
        const body = {
          ...toWire({ connector, identifier, organization }),
          connected_account: {
            api_config: config,
            authorization_details: credentials(connector, given.sent, given.number),
          },
        };
        const answer = await twins.call({ method: 'POST', path: PATH, body, mayShowCredentials: true });
        const foreseen = accounts.create(run.model, given);
        settle(run, foreseen, answer, { id: answer.body?.connected_account?.id });
        if (answer.status === 201) remember(run.seen.accounts, answer.body.connected_account.id);
        keepSecrets(answer, twins);
        requireShown(run, answer, { connector, identifier });
        return foreseen;
      },
    ),
  );

const updateAccount: fc.Arbitrary<Command> = fc
  .record({
    one: named,
    organization: organizations,
    sent,
    config: configs,
    number: fc.noBias(fc.nat({ max: 999_999 })),
  })
  .map(({ one, organization, sent: kind, config, number }) =>
    command(
      `update ${nameOf(one)} of ${organization} with ${kind} credentials, ${JSON.stringify(config)}`,
      async (run, twins) => {
        const address = addressOf(run, one, organization);
        const connector = accounts.find(run.model, address)?.connector ?? 'mail';
        const body = {
          ...toWire(address),
          connected_account: {
            api_config: config,
            authorization_details: credentials(connector, kind, number),
          },
        };
        const answer = await twins.call({ method: 'PUT', path: PATH, body, mayShowCredentials: true });
        const foreseen = accounts.update(run.model, address, kind, config);
        settle(run, foreseen, answer);
        keepSecrets(answer, twins);
        requireShown(run, answer, address);
        return foreseen;
      },
    ),
  );

const deleteAccount: fc.Arbitrary<Command> = fc
  .record({ one: named, organization: organizations })
  .map(({ one, organization }) =>
    command(`delete ${nameOf(one)} of ${organization}`, async (run, twins) => {
      const address = addressOf(run, one, organization);
      const answer = await twins.call({ method: 'POST', path: `${PATH}:delete`, body: toWire(address) });
      const foreseen = accounts.remove(run.model, address);
      settle(run, foreseen, answer);
      return foreseen;
    }),
  );

const query = (address: accounts.Address): string => new URLSearchParams(toWire(address)).toString();

const readAccount: fc.Arbitrary<Command> = fc
  .record({ one: named, organization: organizations, isAuth: fc.boolean() })
  .map(({ one, organization, isAuth }) =>
    command(
      `${isAuth ? 'credentials' : 'details'} of ${nameOf(one)} of ${organization}`,
      async (run, twins) => {
        const address = addressOf(run, one, organization);
        const path = `${PATH}/${isAuth ? 'auth' : 'details'}?${query(address)}`;
        const answer = await twins.call({ method: 'GET', path, mayShowCredentials: isAuth });
        const foreseen = isAuth ? accounts.handOut(run.model, address) : readOnly(run, address);
        settle(run, foreseen, answer);
        keepSecrets(answer, twins);
        requireShown(run, answer, address);
        requireCredentials(answer, foreseen);
        return foreseen;
      },
    ),
  );

const readOnly = (run: Run, address: accounts.Address): Foreseen & { live?: boolean } =>
  accounts.find(run.model, address) ? { status: 200, live: false } : { status: 404 };

const requireCredentials = (answer: Answer, { live = false }: { live?: boolean }): void => {
  const isShown = answer.body?.connected_account?.authorization_details !== undefined;
  if (answer.status === 200 && isShown !== live)
    throw new Error(`Credentials are ${isShown ? '' : 'not '}shown: ${answer.text.slice(0, 600)}`);
};

const accountAction: fc.Arbitrary<Command> = fc
  .record({ pick: fc.nat({ max: 60 }), action: fc.constantFrom('expire', 'disconnect', 'revoke', 'grant') })
  .map(({ pick, action }) =>
    command(`${action} account ${pick}`, async (run, twins) => {
      const id = chooseAccount(run, pick);
      const answer = await twins.control('POST', `/connected_accounts/${id}/${action}`);
      const foreseen = accounts.act(run.model, id, action);
      settle(run, foreseen, answer);
      return foreseen;
    }),
  );

export const ACCOUNT_COMMANDS = [createAccount, updateAccount, deleteAccount, readAccount, accountAction];
