/** What ends when: counted here, since a page cannot read 100,000 rows to find out. */
import { readClock, toTimestamp } from '../../engine/core/clock.ts';
import { instantAt, type Moment, resolve } from '../../engine/core/moment.ts';
import { allRows, getRow } from '../../engine/core/table.ts';
import type { Environment } from '../../engine/environments/environment.ts';
import { settledStatus } from '../../service/accounts/rules.ts';
import { isInvited } from '../../service/memberships/rules.ts';
import type { ConsoleHandlers, ConsoleSchemas } from './call-types.ts';
import { stateOf } from './state.ts';

export const ends = {
  listEnds: (_input, { environment }) => {
    const { clock, home } = environment.current;
    const [now, from] = [environment.now, readClock(home)];
    const groups = groupEnds(endsOf(environment), now);
    const past = groups.filter(({ at }) => at <= now && at >= from);
    const coming = groups.filter(({ at }) => at > now);
    return {
      status: 200,
      body: {
        mode: clock.mode,
        now: toTimestamp(now),
        home: { mode: home.mode, now: toTimestamp(from) },
        ended: past.slice(-MOST_PAST).map(present),
        coming: coming.slice(0, MOST_COMING).map(present),
        total_ended: past.flatMap((group) => group.ends).filter(({ isRefreshed }) => !isRefreshed).length,
      },
    };
  },
} satisfies Partial<ConsoleHandlers>;

const MOST_PAST = 3;
const MOST_COMING = 5;

interface End {
  readonly at: number;
  readonly what: 'token' | 'link' | 'request' | 'invitation';
  readonly of: string;
  /** Whether the provider refreshes the token, so that nothing ends. */
  readonly isRefreshed?: boolean;
}

const endsOf = (environment: Environment): readonly End[] => {
  const { start } = environment.current;
  const data = stateOf(environment);
  const found: End[] = [];
  const add = (what: End['what'], moment: Moment | undefined, of: string, isRefreshed?: boolean): void => {
    if (moment !== undefined)
      found.push({ at: resolve(moment, start), what, of, ...(isRefreshed && { isRefreshed }) });
  };
  for (const account of allRows(data.connected_accounts)) {
    const { token_expires_at: end, stored_status } = account;
    if (end === undefined || stored_status !== 'ACTIVE') continue;
    const isRefreshed = settledStatus(account, instantAt(resolve(end, start), start)) !== 'EXPIRED';
    add('token', end, account.identifier, isRefreshed);
  }
  const nameOf = (id: string): string => getRow(data.connected_accounts, id)?.identifier ?? id;
  for (const { expires_at, used_at, account_id } of allRows(data.authorization_links))
    if (used_at === undefined) add('link', expires_at, nameOf(account_id));
  for (const { expires_at, account_id } of allRows(data.verification_requests))
    add('request', expires_at, nameOf(account_id));
  for (const membership of allRows(data.memberships))
    if (isInvited(membership) && membership.stored_status === 'INVITED' && !membership.invite.is_revoked)
      add('invitation', membership.invite.expires_at, getRow(data.users, membership.user_id)?.email ?? '');
  return found.sort((one, other) => one.at - other.at);
};

interface Group {
  /** When the last of them ends. */
  at: number;
  readonly ends: End[];
}

const UNITS = [86_400_000, 3_600_000, 60_000];

/** The unit in which people count a distance, and how many of it. */
const stepOf = (distance: number): string => {
  const unit = UNITS.find((each) => Math.abs(distance) >= each) ?? 60_000;
  return `${unit} ${Math.round(distance / unit)}`;
};

/** Joins ends that are equally far away in the words of people: all in 42 minutes, all in 12 days. */
const groupEnds = (found: readonly End[], now: number): readonly Group[] => {
  const groups = new Map<string, Group>();
  for (const end of found) {
    const step = `${end.at > now} ${stepOf(end.at - now)}`;
    const group = groups.get(step);
    if (group) group.at = Math.max(group.at, end.at);
    groups.set(step, group ?? { at: end.at, ends: [] });
    groups.get(step)?.ends.push(end);
  }
  return [...groups.values()];
};

const present = ({ at, ends: found }: Group): ConsoleSchemas['EndGroup'] => {
  const counts: Record<string, number> = {};
  for (const { what, isRefreshed } of found) if (!isRefreshed) counts[what] = (counts[what] ?? 0) + 1;
  const refreshed = found.filter(({ isRefreshed }) => isRefreshed).length;
  return { at: toTimestamp(at), counts, refreshed, ...(found.length === 1 && { of: found[0]?.of ?? '' }) };
};
