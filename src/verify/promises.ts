/** The promises of the API's description, one for each thing that it says and that could be false by itself. */
import { ACCOUNT_OPERATION_PROMISES } from './promises/account-operations.ts';
import { ACCOUNT_PROMISES } from './promises/accounts.ts';
import { IDENTITY_OPERATION_PROMISES } from './promises/identity-operations.ts';
import { PEOPLE_PROMISES } from './promises/people.ts';
import { SERVICE_PROMISES } from './promises/service.ts';

const LEDGER = {
  ...SERVICE_PROMISES,
  ...ACCOUNT_PROMISES,
  ...PEOPLE_PROMISES,
  ...ACCOUNT_OPERATION_PROMISES,
  ...IDENTITY_OPERATION_PROMISES,
} as const;

type Ledger = typeof LEDGER;

/** Where the description says it; a key of the ledger. */
export type Section = keyof Ledger;

/** Section and name, such as `create.409` or `account.status=ACTIVE`: what cases cite. */
export type PromiseId = { [S in Section]: `${S}.${keyof Ledger[S] & (string | number)}` }[Section];

/** The names of a section. */
export type NameIn<S extends Section> = keyof Ledger[S] & string;

export interface DescribedPromise {
  readonly id: PromiseId;
  readonly section: Section;
  readonly says: string;
}

export const PROMISES: readonly DescribedPromise[] = Object.entries(LEDGER).flatMap(([section, promises]) =>
  Object.entries(promises).map(
    ([name, says]) =>
      // Both are keys of the ledger, whose names the entries of an object lose.
      ({ id: `${section}.${name}`, section, says }) as DescribedPromise,
  ),
);

/** Promises that no case can hold a server to, and why. */
export const UNTESTED: ReadonlyMap<PromiseId, string> = new Map<PromiseId, string>([
  ['service.https', 'a run has the one address it is given; this mock serves plain HTTP on loopback (T11)'],
  ['service.version', 'no reply carries it; `openapi.yaml` does'],
  ['authentication.sensitive', 'it is advice to whoever runs the client'],
  ['account.authorization_type=BASIC_AUTH', 'no type of connection leads to it (A5)'],
  ['account.authorization_type=CUSTOM', 'no type of connection leads to it (A5)'],
  ['connection.provider_others', 'the description leaves their names out'],
  ['provider.icon_size', 'it is a recommendation; the server is given an address, not the picture'],
  ['provider.proxying', 'no operation goes through the proxy'],
  ['invite.status_others', 'the one operation that shows an invitation has just made it pending'],
  ['invite.user_id_empty', 'the one operation that shows an invitation names a user who exists'],
  ['identity_errors.help_info', 'it is optional, and this mock has no links to send there'],
  ['resource_info.others', 'they are optional, and this mock sends resource_name alone'],
  ['identity_errors.tool_error_info', 'it is optional, and no operation runs a tool'],
  ['states.groups', 'the description says that they may be removed: either is right'],
]);
