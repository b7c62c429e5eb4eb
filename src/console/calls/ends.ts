/** What ends when: counted here, since a page cannot read 100,000 rows to find out. */
import { clockTime, toTimestamp } from '../../engine/core/clock.ts';
import { resolve } from '../../engine/core/moment.ts';
import { allRows } from '../../engine/core/table.ts';
import type { Environment } from '../../engine/environments/environment.ts';
import { tableOf } from '../../engine/scenario/section.ts';
import type { RowEnd } from '../../engine/scenario/view.ts';
import type { ConsoleHandlers, ConsoleSchemas } from './console-document.ts';
import { countEach } from './rows.ts';

export const ends = {
  listEnds: (_input, { environment }) => {
    const { home } = environment.current;
    const { now } = environment.instant();
    const from = clockTime(home);
    const groups = groupEnds(environment, now);
    const past = groups.filter(({ at }) => at <= now && at >= from);
    const coming = groups.filter(({ at }) => at > now);
    return {
      body: {
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

interface Group {
  /** When the last of them ends. */
  at: number;
  readonly ends: RowEnd[];
}

const UNITS = [86_400_000, 3_600_000, 60_000];

/** The distance in the words of people: the unit in which they count it, and how many of it. */
const stepOf = (distance: number): string => {
  const unit = UNITS.find((each) => Math.abs(distance) >= each) ?? 60_000;
  return `${distance > 0} ${unit} ${Math.round(distance / unit)}`;
};

/** Joins ends that are equally far away: all in 42 minutes, all in 12 days. The first to end come first. */
const groupEnds = (environment: Environment, now: number): readonly Group[] => {
  const { data } = environment.current;
  const instant = environment.instant();
  const groups = new Map<string, Group>();
  for (const [kind, { end }] of Object.entries(environment.service.views))
    if (end)
      for (const row of allRows(tableOf(data, kind))) {
        const found = end(data, row, instant);
        if (!found) continue;
        const at = resolve(found.at, instant.start);
        const group = groups.get(stepOf(at - now)) ?? { at, ends: [] };
        groups.set(stepOf(at - now), group);
        group.at = Math.max(at, group.at);
        group.ends.push(found);
      }
  return [...groups.values()].sort((one, other) => one.at - other.at);
};

const present = ({ at, ends: found }: Group): ConsoleSchemas['EndGroup'] => {
  const counts = countEach(found.flatMap(({ what, isRefreshed }) => (isRefreshed ? [] : [what])));
  const refreshed = found.filter(({ isRefreshed }) => isRefreshed).length;
  return { at: toTimestamp(at), counts, refreshed, ...(found.length === 1 && { of: found[0]?.of ?? '' }) };
};
