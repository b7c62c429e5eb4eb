/** The transitions of the description: what each of them starts from, and what goes along with it. */
import { textAt } from '../call.ts';
import { define, type Step } from '../case.ts';
import { ACCOUNTS, MEMBERS } from '../default-rows.ts';
import { including, not } from '../pattern.ts';

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
  ...Object.entries(MEMBERS).map(([status, path]) =>
    define({
      name: `A member that is ${status} can be removed`,
      operationId: 'deleteMembership',
      basis: 'promised',
      cites: ['states.removed'],
      needs: ['write', 'control'],
      send: () => ({ path }),
      status: 200,
      afterwards: [{ operationId: 'updateMembership', send: () => ({ path, body: {} }), status: 404 }],
    }),
  ),
  define({
    name: 'A resend of an expired invitation mails a new one',
    operationId: 'resendInvite',
    basis: 'promised',
    cites: ['states.reinvitation_sent'],
    needs: ['write', 'control'],
    send: () => ({ path: MEMBERS.INVITE_EXPIRED, body: {} }),
    status: 200,
    afterwards: [mailed('linus@acme.test', 'invitation')],
  }),
  define({
    name: 'A resend of a valid invitation mails a reminder',
    operationId: 'resendInvite',
    basis: 'promised',
    cites: ['states.reminder_sent'],
    needs: ['write', 'control'],
    send: () => ({ path: MEMBERS.PENDING_INVITE, body: {} }),
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
        path: MEMBERS.INVITE_EXPIRED,
        body: {},
      });
      return textAt(body, 'user', 'memberships', 0, 'expires_at');
    },
    send: () => ({ path: MEMBERS.INVITE_EXPIRED, body: {} }),
    status: 200,
    body: ({ given }) => ({ invite: { expires_at: not(given) } }),
  }),
];
