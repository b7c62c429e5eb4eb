/** Exports an environment as a scenario. */

import { isDeepStrictEqual } from 'node:util';
import { type EnvironmentClock, toTimestamp } from '../core/clock.ts';
import type { Instant } from '../core/moment.ts';
import { allRows } from '../core/table.ts';
import type { FaultForm } from '../environments/faults.ts';
import type { Service } from '../service.ts';
import type { EngineSettings } from '../settings.ts';
import type { EngineState } from '../state.ts';
import type { AnyEnvironmentForm } from './forms.ts';
import { exportRow, tableOf } from './section.ts';
import { timesAt } from './times.ts';

export interface EnvironmentContent {
  readonly service: Service;
  readonly id: string;
  readonly state: EngineState;
  readonly settings: EngineSettings;
  readonly faults?: readonly FaultForm[];
}

/**
 * The content of `environments.NAME` that recreates this state. It includes credentials,
 * since they are test data, except `secret_access_key` and `session_token`, which are never stored (behaviour A5).
 */
export const exportEnvironment = (
  environment: EnvironmentContent,
  at: Instant,
  options: ExportOptions = {},
): AnyEnvironmentForm => ({
  ...headOf(environment),
  ...Object.fromEntries(rowsOf(environment, at, options)),
  ...(environment.faults?.length && { faults: environment.faults }),
});

interface ExportOptions {
  /** Times are distances from now, and the scenario has no clock. */
  readonly isRelative?: boolean | undefined;
  /** Rows are without what is derived. */
  readonly isShort?: boolean;
}

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

/** Exports everything of an environment except its rows. */
const headOf = ({ service, id, state, settings }: EnvironmentContent): AnyEnvironmentForm => {
  const usual = new Map(Object.entries(service.settings.write(service.settings.defaults)));
  const changed = Object.entries(service.settings.write(settings)).filter(
    ([name, value]) => !isDeepStrictEqual(value, usual.get(name)),
  );
  return {
    id,
    ...(state.access_tokens.length > 0 && { access_tokens: state.access_tokens }),
    ...(changed.length > 0 && { settings: Object.fromEntries(changed) }),
  };
};

/** The exported rows with the name of their list, such as `users`. Leaves out empty lists. */
const rowsOf = (
  { service, state, settings }: EnvironmentContent,
  at: Instant,
  { isRelative = false, isShort }: ExportOptions,
) => {
  const context = { at, time: timesAt(at, isRelative), ...(isShort && { settings }) };
  const filled = service.sections.filter(({ name }) => !tableOf(state, name).rows.isEmpty);
  return filled.map((section) => {
    const rows = section.inOrder?.(state, at) ?? allRows(tableOf(state, section.name));
    return [section.name, Array.from(rows, (row) => exportRow(section, state, row, context))] as const;
  });
};
