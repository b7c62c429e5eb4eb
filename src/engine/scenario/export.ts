/** Exports an environment as a scenario. */
import { isDeepStrictEqual } from 'node:util';
import { type EnvironmentClock, toTimestamp } from '../core/clock.ts';
import type { Instant } from '../core/moment.ts';
import { hasMembers, valueAt } from '../core/object.ts';
import { allRows } from '../core/table.ts';
import type { AnyEnvironmentForm, EnvironmentContent } from './scenario.ts';
import { exportRow, tableOf } from './section.ts';
import { timesAt } from './times.ts';

interface ExportOptions {
  /** Times are distances from now, and the scenario has no clock. */
  readonly isRelative?: boolean | undefined;
  /** Rows are without what is derived. */
  readonly isShort?: boolean;
}

/**
 * The content of `environments.NAME` that recreates this state. It includes credentials,
 * since they are test data, except `secret_access_key` and `session_token`, which are never stored (behaviour A5).
 */
export const exportEnvironment = (
  { service, id, state, settings, faults = [] }: EnvironmentContent,
  at: Instant,
  { isRelative = false, isShort }: ExportOptions = {},
): AnyEnvironmentForm => {
  const changed = changedSettings(service, settings);
  const context = { at, time: timesAt(at, isRelative), ...(isShort && { settings }) };
  const filled = service.sections.filter(({ name }) => !tableOf(state, name).rows.isEmpty);
  const lists = filled.map((section) => {
    const rows = section.inOrder?.(state, at) ?? allRows(tableOf(state, section.name));
    return [section.name, Array.from(rows, (row) => exportRow(section, state, row, context))];
  });
  return {
    id,
    ...(state.access_tokens.length > 0 && { access_tokens: state.access_tokens }),
    ...(hasMembers(changed) && { settings: changed }),
    ...Object.fromEntries(lists),
    ...(faults.length > 0 && { faults }),
  };
};

/** The settings that are not at their defaults, as a scenario writes them. */
export const changedSettings = (
  { settings: { write, defaults } }: EnvironmentContent['service'],
  settings: EnvironmentContent['settings'],
): object => {
  const usual = write(defaults);
  const isChanged = ([name, value]: [string, unknown]) => !isDeepStrictEqual(value, valueAt(usual, name));
  return Object.fromEntries(Object.entries(write(settings)).filter(isChanged));
};

/** A scenario with the current content of the environment, and without `extends`. */
export const exportScenario = (
  environment: EnvironmentContent & { readonly name: string; readonly clock: EnvironmentClock },
  at: Instant,
  options: ExportOptions = {},
) => {
  const { mode } = environment.clock;
  const now = toTimestamp(at.now);
  return {
    ...(!options.isRelative && { clock: mode === 'frozen' ? now : { mode, now } }),
    environments: { [environment.name]: exportEnvironment(environment, at, options) },
  };
};
