/** Calls about the e-mails that the service would have sent. */
import { parseTimestamp } from '../../core/clock.ts';
import type { SentEmail } from '../../environments/environment.ts';
import type { Handlers } from '../types.ts';
import { DONE, readWait } from './lookup.ts';

export const outbox = {
  listEmails: ({ query }, { environment, signal }) => {
    const emails = environment.outbox;
    const matches = matcher(query);
    const answer = () => ({ status: 200, body: { emails: emails.list().filter(matches) } }) as const;
    const wait = readWait(query.wait);
    return wait === 0 ? answer() : emails.wait(matches, wait, signal).then(answer);
  },

  clearEmails: (_input, { environment }) => {
    environment.outbox.clear();
    return DONE;
  },
} satisfies Partial<Handlers>;

interface EmailFilter {
  readonly to?: string;
  readonly kind?: SentEmail['kind'];
  readonly since?: string;
}

const matcher = ({ to, kind, since }: EmailFilter): ((email: SentEmail) => boolean) => {
  const from = since === undefined ? undefined : parseTimestamp(since);
  return (email) =>
    (to === undefined || email.to.toLowerCase() === to.toLowerCase()) &&
    (kind === undefined || email.kind === kind) &&
    (from === undefined || (parseTimestamp(email.time) ?? 0) >= from);
};
