/** A user's refusal on a link: the account stays as it was (behaviour V3). */
import type { Simulation } from '../domain/operation.ts';
import { decideOpen, type LinkReply, type OnLink, verifyUrl } from './link-reply.ts';

/**
 * Denies a link, consent page and credential form alike. The user goes back with `error=access_denied`, or, without a
 * `user_verify_url`, to this server's `/connect/denied`. A link that is not open is refused and nothing changes.
 */
export const deny: Simulation<OnLink, LinkReply> = (state, given, env) =>
  decideOpen<LinkReply>(state, given, env, (used, { link, account }) => ({
    reply: {
      outcome: 'redirect',
      redirect_url: verifyUrl(link, ACCESS_DENIED) ?? `${env.baseUrl}/connect/denied`,
    },
    state: used,
    changes: [{ type: 'authorization_link.denied', resource: { connected_account_id: account.id } }],
  }));

const ACCESS_DENIED = { error: 'access_denied', error_description: 'The user denied the authorization.' };
