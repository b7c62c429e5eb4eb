/** The transitions of the description: what each of them starts from, and what goes along with it. */
import { textAt } from '../call.ts';
import { define, type Step } from '../case.ts';
import { including, not } from '../pattern.ts';

/** Rows of the default scenario: an account in every status, and a member in every status. */
const ACCOUNTS = {
  ACTIVE: 'ca_100000000000000001',
  EXPIRED: 'ca_100000000000000002',
  PENDING_AUTH: 'ca_100000000000000003',
  PENDING_VERIFICATION: 'ca_100000000000000004',
  DISCONNECTED: 'ca_100000000000000005',
} as const;
const MEMBERS = {
  ACTIVE: 'usr_100000000000000001',
  PENDING_INVITE: 'usr_100000000000000002',
  INVITE_EXPIRED: 'usr_100000000000000003',
  INACTIVE: 'usr_100000000000000004',
} as const;

const memberOf = (id: string) => ({ path: { organization_id: 'org_100000000000000001', id } });

/** What was mailed since the environment began. */
const mailed = (to: string, kind: string): Step<unknown> => ({
  send: () => ({ control: { method: 'GET', path: 'outbox' } }),
  status: 200,
  body: { emails: including({ to, kind }) },
});

export const STATE_CASES = [
  ...Object.entries(ACCOUNTS).map(([status, id]) =>
    define({
      name: `An account that is ${status} can be deleted`,
      operationId: 'deleteConnectedAccount',
      basis: 'promised',
      cites: ['states.deleted'],
      needs: ['write', 'control'],
      send: () => ({ body: { id } }),
      status: 200,
      afterwards: [
        { operationId: 'getConnectedAccountDetails', send: () => ({ query: { id } }), status: 404 },
      ],
    }),
  ),
  ...Object.entries(MEMBERS).map(([status, id]) =>
    define({
      name: `A member that is ${status} can be removed`,
      operationId: 'deleteMembership',
      basis: 'promised',
      cites: ['states.removed'],
      needs: ['write', 'control'],
      send: () => memberOf(id),
      status: 200,
      afterwards: [
        { operationId: 'updateMembership', send: () => ({ ...memberOf(id), body: {} }), status: 404 },
      ],
    }),
  ),
  define({
    name: 'A resend of an expired invitation mails a new one',
    operationId: 'resendInvite',
    basis: 'promised',
    cites: ['states.reinvitation_sent'],
    needs: ['write', 'control'],
    send: () => ({ ...memberOf(MEMBERS.INVITE_EXPIRED), body: {} }),
    status: 200,
    afterwards: [mailed('linus@acme.test', 'invitation')],
  }),
  define({
    name: 'A resend of a valid invitation mails a reminder',
    operationId: 'resendInvite',
    basis: 'promised',
    cites: ['states.reminder_sent'],
    needs: ['write', 'control'],
    send: () => ({ ...memberOf(MEMBERS.PENDING_INVITE), body: {} }),
    status: 200,
    afterwards: [mailed('grace@acme.test', 'reminder')],
  }),
  define({
    name: 'A resend of an expired invitation answers with a new end',
    operationId: 'resendInvite',
    basis: 'promised',
    cites: ['invitations.new_expiry'],
    needs: ['write', 'control'],
    arrange: async (session) => {
      const body = await session.obtain('updateMembership', {
        ...memberOf(MEMBERS.INVITE_EXPIRED),
        body: {},
      });
      return textAt(body, 'user', 'memberships', 0, 'expires_at');
    },
    send: () => ({ ...memberOf(MEMBERS.INVITE_EXPIRED), body: {} }),
    status: 200,
    body: ({ given }) => ({ invite: { expires_at: not(given) } }),
  }),
];
