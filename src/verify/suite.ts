/** All cases: families are generated from the contract for every operation, flows are written by hand. */
import { loadContract } from '../openapi/load.ts';
import type { Case } from './case.ts';
import { examples, methods, tokens, unknownIds } from './families/calls.ts';
import { enums, requiredMembers, spellings, tolerated, types } from './families/fields.ts';
import { limits } from './families/limits.ts';
import { fieldsOf } from './fields.ts';
import { ACCOUNT_FLOWS } from './flows/accounts.ts';
import { CONNECTION_FLOWS } from './flows/connections.ts';
import { CREDENTIAL_FLOWS } from './flows/credentials.ts';
import { LINK_FLOWS } from './flows/links.ts';
import { LIST_FLOWS } from './flows/lists.ts';
import { MEMBERSHIP_FLOWS } from './flows/memberships.ts';
import { TOKEN_FLOWS } from './flows/tokens.ts';
import { TRANSPORT_FLOWS } from './flows/transport.ts';

/** Cases about an operation. */
const FAMILIES = [tokens, methods, unknownIds, examples, tolerated];
/** Cases about a parameter or a member of the body. */
const FIELD_FAMILIES = [requiredMembers, types, enums, limits, spellings];

const GENERATED = loadContract().operations.flatMap((operation) => [
  ...FAMILIES.flatMap((family) => family(operation)),
  ...fieldsOf(operation).flatMap((field) => FIELD_FAMILIES.flatMap((family) => family(field))),
]);

export const SUITE: readonly Case[] = [
  ...GENERATED,
  ...TOKEN_FLOWS,
  ...TRANSPORT_FLOWS,
  ...ACCOUNT_FLOWS,
  ...CREDENTIAL_FLOWS,
  ...LIST_FLOWS,
  ...LINK_FLOWS,
  ...CONNECTION_FLOWS,
  ...MEMBERSHIP_FLOWS,
];
