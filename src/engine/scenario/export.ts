/** Exports an environment as a scenario. */

import { isDeepStrictEqual } from 'node:util';
import { newestFirst } from '../../service/logs/rules.ts';
import { type EnvironmentForm, SECTIONS } from '../../service/sections.ts';
import { DEFAULT_SETTINGS, type SettingValues, writeSettings } from '../../service/settings.ts';
import type { State } from '../../service/state.ts';
import { type EnvironmentClock, toTimestamp } from '../core/clock.ts';
import type { Instant } from '../core/moment.ts';
import { select, takeSelected } from '../core/selection.ts';
import { allRows } from '../core/table.ts';
import { type Form, type RowOf, type TableName, tableOf } from './loading.ts';
import { type ExportContext, exportRow, type Section } from './section.ts';
import { timesAt } from './times.ts';

export interface EnvironmentContent {
  readonly id: string;
  readonly state: State;
  readonly settings: SettingValues;
}

/**
 * The content of `environments.NAME` that recreates this state. It includes credentials,
 * since they are test data, except `secret_access_key` and `session_token`, which are never stored (behaviour A5).
 */
export const exportEnvironment = (
  environment: EnvironmentContent,
  at: Instant,
  isRelative = false,
): EnvironmentForm => ({
  ...headOf(environment),
  ...Object.fromEntries(rowsOf(environment, at, isRelative)),
});

/**
 * A scenario with the current content of the environment, and without `extends`. If `isRelative`, the scenario has no
 * clock, and its times are relative to now.
 */
export const exportScenario = (
  environment: EnvironmentContent & { readonly name: string; readonly clock: EnvironmentClock },
  at: Instant,
  isRelative = false,
) => {
  const { mode } = environment.clock;
  const now = toTimestamp(at.now);
  return {
    ...(!isRelative && { clock: mode === 'frozen' ? now : { mode, now } }),
    environments: { [environment.name]: exportEnvironment(environment, at, isRelative) },
  };
};

/** Exports everything of an environment except its rows. */
const headOf = ({ id, state, settings }: EnvironmentContent): EnvironmentForm => {
  const usual = new Map(Object.entries(writeSettings(DEFAULT_SETTINGS)));
  const changed = Object.entries(writeSettings(settings)).filter(
    ([name, value]) => !isDeepStrictEqual(value, usual.get(name)),
  );
  return {
    id,
    ...(state.access_tokens.length > 0 && { access_tokens: state.access_tokens }),
    ...(changed.length > 0 && { settings: Object.fromEntries(changed) }),
  };
};

/** The exported rows with the name of their list, such as `users`. Leaves out empty lists. */
const rowsOf = ({ state }: EnvironmentContent, at: Instant, isRelative: boolean) => {
  const context = { at, time: timesAt(at, isRelative) };
  const filled = SECTIONS.filter(({ name }) => !state[name].rows.isEmpty);
  return filled.map((section) => [section.name, exportRows(section, state, context)] as const);
};

const exportRows = (section: Section, state: State, context: Required<ExportContext>): readonly Form[] =>
  Array.from(inOrder(state, section.name, context.at), (row) => exportRow(section, state, row, context));

/**
 * The rows of a table in the order of the export. The sign-in log goes from the oldest to the newest entry, so that
 * entries with equal times have the same order when the export is loaded.
 */
const inOrder = (state: State, name: TableName, { start }: Instant): Iterable<RowOf<TableName>> => {
  if (name !== 'authentication_requests') return allRows(tableOf(state, name));
  const newest = newestFirst(select(state.authentication_requests, {}), start);
  return takeSelected(newest, Infinity, 'backward').map(({ row }) => row);
};
