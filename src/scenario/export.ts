/** Exports an environment as a scenario. */
import { isDeepStrictEqual } from 'node:util';
import { type Clock, toTimestamp } from '../core/clock.ts';
import { select, takeSelected } from '../core/selection.ts';
import { allRows } from '../core/table.ts';
import { newestFirst } from '../domain/auth-log.ts';
import type { Now } from '../domain/operation.ts';
import { DEFAULT_SETTINGS, type Settings, writeSettings } from '../domain/settings.ts';
import type { State } from '../domain/state.ts';
import { type Form, type RowOf, type TableName, tableOf } from './loading.ts';
import { type EnvironmentForm, type ScenarioForm, SECTIONS } from './sections/index.ts';
import { type ExportContext, exportRow, type Section } from './sections/section.ts';
import { timesAt } from './times.ts';

/** What an environment holds. */
export interface EnvironmentContent {
  readonly id: string;
  readonly state: State;
  readonly settings: Settings;
}

type NamedContent = EnvironmentContent & { readonly name: string; readonly clock: Clock };

/**
 * The content of `environments.NAME` that recreates this state, without derived members. It includes credentials, since
 * they are test data. It never includes temporary secrets, because the state does not hold them (behaviour A5).
 * @param isRelative whether times are relative to now instead of absolute
 */
export const exportEnvironment = (
  environment: EnvironmentContent,
  at: Now,
  isRelative = false,
): EnvironmentForm => {
  const lists = listsOf(environment, at, isRelative);
  return { ...headOf(environment), ...Object.fromEntries(lists.map(([name, rows]) => [name, [...rows]])) };
};

/**
 * A self-contained scenario with the current content of the environment. It has absolute times and the clock, or times
 * relative to now and no clock.
 */
export const exportScenario = (environment: NamedContent, at: Now, isRelative = false): ScenarioForm => ({
  ...clockOf(environment, at, isRelative),
  environments: { [environment.name]: exportEnvironment(environment, at, isRelative) },
});

/** Like `exportScenario`, for writing to a file: each row is exported only when it is read. */
export const lazyScenario = (environment: NamedContent, at: Now, isRelative = false): object => {
  const lists = Object.fromEntries(listsOf(environment, at, isRelative));
  return {
    ...clockOf(environment, at, isRelative),
    environments: { [environment.name]: { ...headOf(environment), ...lists } },
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

/** The lists that have rows. */
const listsOf = ({ state, settings }: EnvironmentContent, at: Now, isRelative: boolean) => {
  const context = { settings, at, time: timesAt(at, isRelative) };
  return SECTIONS.flatMap((section): [TableName, Iterable<Form>][] =>
    state[section.name].rows.isEmpty
      ? []
      : [[section.name, { [Symbol.iterator]: () => rowsOf(section, state, context) }]],
  );
};

function* rowsOf(
  section: Section,
  state: State,
  context: ExportContext & { readonly at: Now },
): Generator<Form> {
  for (const row of inOrder(state, section.name, context.at)) yield exportRow(section, state, row, context);
}

/**
 * The rows in the order in which the API lists them. Log entries with equal times come in the order in which a mock
 * that loads the export lists them, so that exporting again gives the same result.
 */
const inOrder = (state: State, name: TableName, { start }: Now): Iterable<RowOf<TableName>> => {
  if (name !== 'authentication_requests') return allRows(tableOf(state, name));
  const newest = newestFirst(select(state.authentication_requests, {}), start);
  return takeSelected(newest, Number.POSITIVE_INFINITY, 'forward')
    .map(({ row }) => row)
    .reverse();
};

const clockOf = (
  { clock: { mode } }: NamedContent,
  at: Now,
  isRelative: boolean,
): Pick<ScenarioForm, 'clock'> => {
  const now = toTimestamp(at.now);
  return isRelative ? {} : { clock: mode === 'frozen' ? now : { mode, now } };
};
