/** Cases about the calls that name an account: by id, or by connector and identifier. */
import type { OperationId } from '../../openapi/types.ts';
import { type Case, reading, test, writing } from '../case.ts';
import type { Call } from '../client.ts';
import { UNKNOWN } from '../samples.ts';
import { anAccount, VERIFY_URL } from './setup.ts';

type Address = Readonly<Record<string, string>>;

/** The operations that take the address of an account. Each has a function that makes a call from the address. */
const ADDRESSED = [
  ['getConnectedAccountAuth', (query) => ({ query })],
  ['getConnectedAccountDetails', (query) => ({ query })],
  ['updateConnectedAccount', (address) => ({ body: { ...address, connected_account: {} } })],
  ['createMagicLink', (address) => ({ body: { ...address, user_verify_url: VERIFY_URL } })],
  ['deleteConnectedAccount', (body) => ({ body })],
] as const satisfies readonly [OperationId, (address: Address) => Call][];

export const ADDRESS_FLOWS: readonly Case[] = ADDRESSED.flatMap(([operationId, toCall]) => [
  ...reading(
    operationId,
    test(`${operationId} refuses a call that has neither an id nor both connector and identifier`, async (service) => {
      await service.call(operationId, toCall({}), 400);
      await service.refuses(operationId, toCall({ connector: 'mail' }), 'identifier');
      await service.refuses(operationId, toCall({ identifier: 'nobody' }), 'connector');
    }).promised('A2'),
  ),
  ...writing(
    operationId,
    test(`${operationId} finds an account by id, or by connector and identifier, and uses the id if both are sent`, async (service) => {
      const { id } = await anAccount(service, 'OAUTH');
      await service.misses(operationId, toCall({ id, organization_id: UNKNOWN.organization }));
      await service.misses(operationId, toCall({ id, user_id: UNKNOWN.user }));
      await service.call(operationId, toCall({ id, connector: UNKNOWN.connector, identifier: 'nobody' }));
      const { pair } = await anAccount(service, 'API_KEY');
      await service.call(operationId, toCall(pair));
    }).inferred('A2'),
    test(`${operationId} finds an account by connector and identifier with its organization_id or user_id`, async (service) => {
      for (const owner of [{ organization_id: 'org_conformance' }, { user_id: 'usr_conformance' }]) {
        const connector = service.connector('API_KEY');
        const body = { connector, identifier: `${service.unique}-${Object.keys(owner)}`, ...owner };
        await service.call('createConnectedAccount', { body });
        await service.call(operationId, toCall(body));
      }
    }).promised(),
  ),
]);
