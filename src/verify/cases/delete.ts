/** Deleting connected accounts. */
import { aConsent, anAccount } from '../arrange.ts';
import { define } from '../case.ts';
import { empty, not } from '../pattern.ts';
import { UNKNOWN } from '../samples.ts';

export const DELETE_CASES = [
  define({
    name: 'A deleted account is gone, and an empty body says so',
    operationId: 'deleteConnectedAccount',
    basis: 'promised',
    cites: ['delete.200', 'states.revoked', 'states.irreversible', 'A9'],
    needs: ['write'],
    arrange: anAccount('OAUTH'),
    send: ({ given }) => ({ body: { id: given.id } }),
    status: 200,
    body: empty,
    afterwards: [
      {
        operationId: 'getConnectedAccountDetails',
        send: ({ given }) => ({ query: { id: given.id } }),
        status: 404,
      },
      {
        operationId: 'getConnectedAccountAuth',
        send: ({ given }) => ({ query: { id: given.id } }),
        status: 404,
      },
      { send: ({ given }) => ({ body: { id: given.id } }), status: 404 },
    ],
  }),
  define({
    name: 'Delete takes connector and identifier, and the pair can be created anew with a new id',
    operationId: 'deleteConnectedAccount',
    basis: 'inferred',
    cites: ['A9', 'I1'],
    needs: ['write'],
    arrange: anAccount('OAUTH'),
    send: ({ given: { connector, identifier } }) => ({ body: { connector, identifier } }),
    status: 200,
    afterwards: [
      {
        operationId: 'createConnectedAccount',
        send: ({ given: { connector, identifier } }) => ({ body: { connector, identifier } }),
        status: 201,
        body: ({ given }) => ({ connected_account: { id: not(given.id) } }),
      },
    ],
  }),
  define({
    name: 'Delete ends what was pending for the account',
    operationId: 'deleteConnectedAccount',
    basis: 'inferred',
    cites: ['A9', 'V6'],
    needs: ['write', 'person'],
    arrange: aConsent,
    send: ({ given: { connector, identifier } }) => ({ body: { connector, identifier } }),
    status: 200,
    afterwards: [
      {
        operationId: 'verifyConnectedAccountUser',
        send: ({ given }) => ({
          body: { auth_request_id: given.authRequestId, identifier: given.identifier },
        }),
        status: 404,
      },
    ],
  }),
  define({
    name: 'A delete with the wrong owner finds nothing and removes nothing',
    operationId: 'deleteConnectedAccount',
    basis: 'inferred',
    cites: ['A2'],
    needs: ['write'],
    arrange: anAccount('OAUTH'),
    send: ({ given }) => ({ body: { id: given.id, organization_id: UNKNOWN.organization } }),
    status: 404,
    afterwards: [
      {
        operationId: 'getConnectedAccountDetails',
        send: ({ given }) => ({ query: { id: given.id } }),
        status: 200,
      },
    ],
  }),
  define({
    name: 'A delete without an account named is refused',
    operationId: 'deleteConnectedAccount',
    basis: 'promised',
    cites: ['delete.400', 'A2'],
    send: () => ({ body: {} }),
    status: 400,
    violates: 'id',
  }),
  define({
    name: 'A delete of an account that does not exist is not found',
    operationId: 'deleteConnectedAccount',
    basis: 'promised',
    cites: ['delete.404'],
    send: () => ({ body: { id: UNKNOWN.account } }),
    status: 404,
  }),
];
