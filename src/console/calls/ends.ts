/** What ends when: counted here, since a page cannot read 100,000 rows to find out. */
import { clockTime, toTimestamp } from '../../engine/core/clock.ts';
import { resolve } from '../../engine/core/moment.ts';
import { allRows } from '../../engine/core/table.ts';
import type { Environment } from '../../engine/environments/environment.ts';
import { tableOf } from '../../engine/scenario/loading.ts';
import type { RowEnd } from '../../engine/scenario/view.ts';
import type { ConsoleHandlers, ConsoleSchemas } from './call-types.ts';

export const ends = {
  listEnds: (_input, { environment }) => {
    const { home } = environment.current;
    const { now } = environment.instant();
    const from = clockTime(home);
    const groups = groupEnds(endsOf(environment), now);
    const past = groups.filter(({ at }) => at <= now && at >= from);
    return {
      status: 200,
      body: {
        now: toTimestamp(now),
        home: { mode: home.mode, now: toTimestamp(from) },
        ended: past.slice(-MOST_PAST).map(present),
        coming: groups
          .filter(({ at }) => at > now)
          .slice(0, MOST_COMING)
          .map(present),
        total_ended: past.flatMap((group) => group.ends).filter(({ isRefreshed }) => !isRefreshed).length,
      },
    };
  },
} satisfies Partial<ConsoleHandlers>;

const MOST_PAST = 3;
const MOST_COMING = 5;

type End = Omit<RowEnd, 'at'> & { readonly at: number };

const endsOf = (environment: Environment): readonly End[] => {
  const { service, current } = environment;
  const at = environment.instant();
  const found: End[] = [];
  for (const [kind, view] of Object.entries(service.views)) {
    if (!view.end) continue;
    for (const row of allRows(tableOf(current.data, kind))) {
      const end = view.end(current.data, row, at);
      if (end) found.push({ ...end, at: resolve(end.at, at.start) });
    }
  }
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
    const group = groups.get(step) ?? { at: end.at, ends: [] };
    groups.set(step, group);
    group.at = end.at; // the ends are sorted
    group.ends.push(end);
  }
  return [...groups.values()];
};

const present = ({ at, ends: found }: Group): ConsoleSchemas['EndGroup'] => {
  const counts: Record<string, number> = {};
  for (const { what, isRefreshed } of found) if (!isRefreshed) counts[what] = (counts[what] ?? 0) + 1;
  const refreshed = found.filter(({ isRefreshed }) => isRefreshed).length;
  return { at: toTimestamp(at), counts, refreshed, ...(found.length === 1 && { of: found[0]?.of ?? '' }) };
};
