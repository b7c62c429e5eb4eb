/** Exports an environment as a scenario. */
import { isDeepStrictEqual } from 'node:util';
import { type Clock, toTimestamp } from '../core/clock.ts';
import { select, takeSelected } from '../core/selection.ts';
import { allRows } from '../core/table.ts';
import { newestFirst } from '../domain/auth-log.ts';
import type { Now } from '../domain/operation.ts';
import { writeClock } from '../domain/scenario.ts';
import { DEFAULT_SETTINGS, type Settings, writeSettings } from '../domain/settings.ts';
import type { State } from '../domain/state.ts';
import { type RowOf, type TableName, tableOf } from './open-state.ts';
import { type EnvironmentForm, type ScenarioForm, SECTIONS } from './sections/index.ts';
import { exportRow } from './sections/section.ts';
import { absoluteTimes, type FormatTime, relativeTimes } from './times.ts';
import type { AnyForm } from './written-row.ts';

/** What an environment holds. */
export interface EnvironmentContent {
  readonly id: string;
  readonly state: State;
  readonly settings: Settings;
}

/**
 * The content of `environments.NAME` that makes this state, without derived members. It includes credentials, since
 * they are test data, but never temporary secrets, which no state holds (behaviour A5).
 * @param isRelative whether times are distances from now; else all are absolute
 */
export const exportEnvironment = (
  environment: EnvironmentContent,
  at: Now,
  isRelative = false,
): EnvironmentForm => {
  const lists = exportLists(environment, at, isRelative ? relativeTimes(at) : absoluteTimes(at));
  return {
    ...exportHead(environment),
    ...Object.fromEntries(Array.from(lists, ({ name, rows }) => [name, [...rows]])),
  };
};

/** Everything of an environment except its rows. */
const exportHead = ({ id, state, settings }: EnvironmentContent): EnvironmentForm => ({
  id,
  ...(state.access_tokens.length > 0 && { access_tokens: state.access_tokens }),
  ...changedSettings(settings),
});

interface ExportedList {
  readonly name: TableName;
  readonly rows: Iterable<AnyForm>;
}

/** The lists that have rows. Each row is exported when it is read. */
function* exportLists(
  { state, settings }: EnvironmentContent,
  at: Now,
  time: FormatTime,
): Generator<ExportedList> {
  for (const section of SECTIONS) {
    const rows = inOrder(state, section.name, at);
    const make = (row: (typeof rows)[number]) => exportRow(section, state, row, { settings, at, time });
    if (rows.length > 0) yield { name: section.name, rows: mapEach(rows, make) };
  }
}

function* mapEach<Item, Result>(items: Iterable<Item>, map: (item: Item) => Result): Generator<Result> {
  for (const item of items) yield map(item);
}

/**
 * The text of a JSON file with the environment as it reads now, row by row, so that the writer can pause for other
 * work.
 */
export function* writeExport(
  environment: EnvironmentContent & { readonly name: string; readonly clock: Clock },
  at: Now,
  description: string,
): Generator<string> {
  const clock = writeClock(environment.clock, at.now);
  const environments = { [environment.name]: exportHead(environment) };
  const ending = '}}}';
  yield JSON.stringify({ description, clock, environments }).slice(0, -ending.length);
  for (const { name, rows } of exportLists(environment, at, absoluteTimes(at))) {
    let before = `,\n"${name}":[\n`;
    for (const row of rows) {
      yield before + JSON.stringify(row);
      before = ',\n';
    }
    yield ']';
  }
  yield `${ending}\n`;
}

/**
 * A self-contained scenario that reads as the environment does now: with absolute times and the clock, or with times
 * as distances from now and no clock.
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

/**
 * The rows in the order in which lists show them. Entries of the log with equal times are sorted as they will be when
 * the export, which writes absolute times, is loaded.
 */
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
