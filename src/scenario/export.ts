/** An environment as a scenario writes it. */
import { isDeepStrictEqual } from 'node:util';
import { type Clock, toTimestamp } from '../core/clock.ts';
import { select, takeSelected } from '../core/selection.ts';
import { allRows } from '../core/table.ts';
import { newestFirst } from '../domain/auth-log.ts';
import type { Now } from '../domain/operation.ts';
import { DEFAULT_SETTINGS, type Settings, writeSettings } from '../domain/settings.ts';
import type { State } from '../domain/state.ts';
import { type RowOf, type TableName, tableOf } from './open-state.ts';
import { type EnvironmentForm, type ScenarioForm, SECTIONS } from './sections/index.ts';
import { exportRow } from './sections/section.ts';
import { absoluteTimes, relativeTimes } from './times.ts';

/** What an environment holds. */
export interface EnvironmentContent {
  readonly id: string;
  readonly state: State;
  readonly settings: Settings;
}

/**
 * What a scenario writes under `environments.NAME` to give this state, without members that follow from others. It
 * includes credentials, since they are test data, but never temporary secrets, which no state holds (behaviour A5).
 * @param isRelative times as distances from now; else all are absolute
 */
export const exportEnvironment = (
  { id, state, settings }: EnvironmentContent,
  at: Now,
  isRelative = false,
): EnvironmentForm => {
  const showing = { settings, at, time: isRelative ? relativeTimes(at) : absoluteTimes(at) };
  const lists = SECTIONS.map((section) => {
    const rows = inOrder(state, section.name, at);
    return [section.name, rows.map((row) => exportRow(section, state, row, showing))] as const;
  });
  return {
    id,
    ...(state.access_tokens.length > 0 && { access_tokens: state.access_tokens }),
    ...changedSettings(settings),
    ...Object.fromEntries(lists.filter(([, rows]) => rows.length > 0)),
  };
};

/**
 * A scenario that stands on its own. Served, it reads as the environment does now: with all times absolute and the clock
 * where it is, or with times as distances from now and the clock of whoever serves it.
 */
export const exportScenario = (
  environment: EnvironmentContent & { readonly name: string; readonly clock: Clock },
  at: Now,
  isRelative = false,
): ScenarioForm => {
  const now = toTimestamp(at.now);
  const { mode } = environment.clock;
  return {
    ...(!isRelative && { clock: mode === 'frozen' ? now : { mode, now } }),
    environments: { [environment.name]: exportEnvironment(environment, at, isRelative) },
  };
};

/** The rows as reads list them. Entries of one instant stand in a log in the order of their positions once all times are absolute. */
const inOrder = (state: State, name: TableName, { start }: Now): readonly RowOf<TableName>[] => {
  if (name !== 'authentication_requests') return [...allRows(tableOf(state, name))];
  const newest = newestFirst(select(state.authentication_requests, {}), {}, start);
  return takeSelected(newest, Number.POSITIVE_INFINITY, 'forward')
    .map(({ row }) => row)
    .reverse();
};

const changedSettings = (settings: Settings): Pick<EnvironmentForm, 'settings'> => {
  const usual = new Map(Object.entries(writeSettings(DEFAULT_SETTINGS)));
  const changed = Object.entries(writeSettings(settings)).filter(
    ([name, value]) => !isDeepStrictEqual(value, usual.get(name)),
  );
  return changed.length > 0 ? { settings: Object.fromEntries(changed) } : {};
};
