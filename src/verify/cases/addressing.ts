/** How the description says that an account is named: by id, or by its owner, connector and identifier. */
import { VERIFY_URL } from '../arrange.ts';
import { type Call, textAt } from '../call.ts';
import { type Case, define } from '../case.ts';
import type { PromiseId } from '../promises.ts';
import type { Session } from '../session.ts';

type Address = Readonly<Record<string, string>>;

/** Ways to name accounts: one of an organization, one of a user, and one by its id. */
const addresses = async (session: Session): Promise<readonly [Address, Address, Address]> => {
  const connector = session.connector('API_KEY');
  const create = async (owner: Address, identifier: string) => {
    const body = { connector, identifier, ...owner };
    const made = await session.obtain('createConnectedAccount', { body }, 201);
    return { body, made };
  };
  const byOrganization = await create(
    { organization_id: session.organizationId },
    `${session.unique}-of-organization`,
  );
  const byUser = await create({ user_id: session.userId }, `${session.unique}-of-user`);
  const { made } = await create({}, `${session.unique}-by-id`);
  return [byOrganization.body, byUser.body, { id: textAt(made, 'connected_account', 'id') }];
};

const named = (
  promise: PromiseId,
  operationId: Case['operationId'],
  place: (address: Address) => Call,
): Case =>
  define({
    name: `${operationId} takes the id, or organization or user, connector and identifier`,
    operationId,
    basis: 'promised',
    cites: [promise],
    needs: ['write', 'organization', 'user'],
    arrange: addresses,
    send: ({ given: [byOrganization] }) => place(byOrganization),
    status: 200,
    afterwards: [
      { send: ({ given: [, byUser] }) => place(byUser), status: 200 },
      { send: ({ given: [, , byId] }) => place(byId), status: 200 },
    ],
  });

const inQuery = (query: Address): Call => ({ query });

export const ADDRESSING_CASES = [
  named('addressing.auth', 'getConnectedAccountAuth', inQuery),
  named('addressing.details', 'getConnectedAccountDetails', inQuery),
  named('addressing.update', 'updateConnectedAccount', (body) => ({
    body: { ...body, connected_account: { api_config: { changed: true } } },
  })),
  named('addressing.link', 'createMagicLink', (body) => ({ body: { ...body, user_verify_url: VERIFY_URL } })),
  named('addressing.delete', 'deleteConnectedAccount', (body) => ({ body })),
];
