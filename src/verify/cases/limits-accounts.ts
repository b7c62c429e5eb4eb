/** The limits of what names an account, makes one, and links to one. */
import type { OperationId } from '../../openapi/types.ts';
import type { Call } from '../call.ts';
import { CONNECTOR, IDENTIFIER, IDS, inBody, inQuery, type Limit, limitCase, text } from '../limit.ts';
import { UNKNOWN } from '../samples.ts';
import type { Context } from '../session.ts';

const nobody = { connector: UNKNOWN.connector, identifier: 'nobody' };

/** The five ways to name an account, where none of them finds one. */
const addressing = (operationId: OperationId, place: typeof inQuery | typeof inBody): readonly Limit[] => {
  const common = { operationId, status: 404 };
  return [
    { ...common, ...IDS.id, field: 'id', at: place('id'), cites: ['I2'] },
    {
      ...common,
      ...IDS.organization_id,
      field: 'organization_id',
      at: place('organization_id', { id: UNKNOWN.account }),
      cites: ['I2'],
    },
    {
      ...common,
      ...IDS.user_id,
      field: 'user_id',
      at: place('user_id', { id: UNKNOWN.account }),
      cites: ['I2'],
    },
    { ...common, ...CONNECTOR, field: 'connector', at: place('connector', nobody), cites: ['I5'] },
    {
      ...common,
      ...IDENTIFIER,
      past: place === inBody ? ['', text(101)] : [text(101)], // in a query, empty is absent (behaviour T7)
      field: 'identifier',
      at: place('identifier', nobody),
      cites: ['I5'],
    },
  ];
};

/** A pair that a create or a link could be for, held back by an organization that does not exist. */
const heldBack =
  (name: string, beside: object = {}) =>
  (value: unknown, { connector }: Context): Call => ({
    body: {
      connector: connector('OAUTH'),
      identifier: 'nobody@conformance.test',
      organization_id: UNKNOWN.organization,
      ...beside,
      [name]: value,
    },
  });

const making = (operationId: 'createConnectedAccount' | 'createMagicLink'): readonly Limit[] => {
  const common = { operationId, status: 404, needs: ['write'] as const };
  return [
    {
      ...common,
      ...IDS.organization_id,
      field: 'organization_id',
      at: heldBack('organization_id'),
      cites: ['I2'],
    },
    { ...common, ...IDS.user_id, field: 'user_id', at: heldBack('user_id'), cites: ['I2'] },
    {
      ...common,
      ...IDENTIFIER,
      past: ['', text(101)],
      field: 'identifier',
      at: heldBack('identifier'),
      cites: ['I5'],
    },
    // No connector is that long, so that both are 400; which of the two it is, the reply says.
    {
      ...common,
      ...CONNECTOR,
      status: 400,
      field: 'connector',
      at: inBody('connector', { identifier: 'nobody' }),
      cites: ['I5'],
    },
  ];
};

const URL_START = 'https://client.test/';

const ACCOUNT_LIMITS: readonly Limit[] = [
  ...addressing('getConnectedAccountAuth', inQuery),
  ...addressing('getConnectedAccountDetails', inQuery),
  ...addressing('updateConnectedAccount', inBody),
  ...addressing('deleteConnectedAccount', inBody),
  ...making('createConnectedAccount'),
  ...making('createMagicLink'),
  { operationId: 'createMagicLink', ...IDS.id, field: 'id', at: inBody('id'), status: 404, cites: ['I2'] },
  {
    operationId: 'createMagicLink',
    takes: 'states of up to 512 characters',
    edge: [text(512)],
    past: [text(513)],
    field: 'state',
    at: inBody('state', { id: UNKNOWN.account }),
    status: 404,
    cites: ['I5'],
  },
  {
    operationId: 'createMagicLink',
    takes: 'addresses of up to 2048 characters',
    edge: [URL_START + text(2048 - URL_START.length)],
    past: [URL_START + text(2049 - URL_START.length)],
    field: 'user_verify_url',
    at: inBody('user_verify_url', { id: UNKNOWN.account }),
    status: 404,
    cites: ['I5'],
  },
  {
    operationId: 'verifyConnectedAccountUser',
    takes: 'auth_request_ids of 1 to 1000 characters',
    edge: [text(1), text(1000)],
    past: ['', text(1001)],
    field: 'auth_request_id',
    at: inBody('auth_request_id', { identifier: 'nobody' }),
    status: 404,
    cites: ['I5'],
  },
  {
    operationId: 'verifyConnectedAccountUser',
    ...IDENTIFIER,
    past: ['', text(101)],
    field: 'identifier',
    at: inBody('identifier', { auth_request_id: UNKNOWN.authRequest }),
    status: 404,
    cites: ['I5'],
  },
];

export const ACCOUNT_LIMIT_CASES = ACCOUNT_LIMITS.map(limitCase);
