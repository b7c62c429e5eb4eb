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
import { LONG, writeInPieces } from './large-text.ts';
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
 * The content of `environments.NAME` that recreates this state, without derived members. It includes credentials, since
 * they are test data. It never includes temporary secrets, because the state does not hold them (behaviour A5).
 * @param isRelative writes times as distances from now; without it, times are absolute
 */
export const exportEnvironment = (
  environment: EnvironmentContent,
  at: Now,
  isRelative = false,
): EnvironmentForm => exportContent(environment, at, isRelative, ({ rows }) => [...rows]);

/** @param keep makes a list's part of the export from its rows */
const exportContent = (
  environment: EnvironmentContent,
  at: Now,
  isRelative: boolean,
  keep: (list: ExportedList) => Iterable<AnyForm>,
): EnvironmentForm => {
  const time = isRelative ? relativeTimes(at) : absoluteTimes(at);
  const lists = exportLists(environment, at, time);
  return {
    ...exportHead(environment),
    ...Object.fromEntries(Array.from(lists, (list) => [list.name, keep(list)])),
  };
};

/** Exports everything of an environment except its rows. */
const exportHead = ({ id, state, settings }: EnvironmentContent): EnvironmentForm => ({
  id,
  ...(state.access_tokens.length > 0 && { access_tokens: state.access_tokens }),
  ...changedSettings(settings),
});

interface ExportedList {
  readonly name: TableName;
  readonly length: number;
  readonly rows: Iterable<AnyForm>;
}

/** Yields the lists that have rows. Exports each row only when the caller reads it. */
function* exportLists(
  { state, settings }: EnvironmentContent,
  at: Now,
  time: FormatTime,
): Generator<ExportedList> {
  for (const section of SECTIONS) {
    const rows = inOrder(state, section.name, at);
    const make = (row: (typeof rows)[number]) => exportRow(section, state, row, { settings, at, time });
    const { length } = rows;
    if (length > 0) yield { name: section.name, length, rows: mapEach(rows, make) };
  }
}

function* mapEach<Item, Result>(items: Iterable<Item>, map: (item: Item) => Result): Generator<Result> {
  for (const item of items) yield map(item);
}

/**
 * Yields the text of a JSON file with the present content of the environment, row by row, so that the caller can do
 * other work between rows.
 */
export function* writeExport(environment: NamedContent, at: Now, description: string): Generator<string> {
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

type NamedContent = EnvironmentContent & { readonly name: string; readonly clock: Clock };

/**
 * A self-contained scenario with the present content of the environment. It has absolute times and the clock, or times
 * as distances from now and no clock.
 */
export const exportScenario = (environment: NamedContent, at: Now, isRelative = false): ScenarioForm => ({
  ...exportClock(environment, at, isRelative),
  environments: { [environment.name]: exportEnvironment(environment, at, isRelative) },
});

/**
 * Yields the text of the same scenario as a YAML file, in pieces. Exports the rows of long lists piece by piece, so that
 * the caller can do other work in between.
 */
export const writeScenarioFile = (
  environment: NamedContent,
  at: Now,
  isRelative = false,
): Iterable<string> => {
  const keep = ({ length, rows }: ExportedList) => (length > LONG ? rows : [...rows]);
  return writeInPieces({
    ...exportClock(environment, at, isRelative),
    environments: { [environment.name]: exportContent(environment, at, isRelative, keep) },
  });
};

const exportClock = (
  { clock: { mode } }: NamedContent,
  at: Now,
  isRelative: boolean,
): Pick<ScenarioForm, 'clock'> => {
  const now = toTimestamp(at.now);
  return isRelative ? {} : { clock: mode === 'frozen' ? now : { mode, now } };
};

/**
 * The rows in the order in which the API lists them. Log entries with equal times come in the order in which a mock
 * that loads the export lists them, so that a second export is the same.
 */
const inOrder = (state: State, name: TableName, { start }: Now): readonly RowOf<TableName>[] => {
  if (name !== 'authentication_requests') return [...allRows(tableOf(state, name))];
  const newest = newestFirst(select(state.authentication_requests, {}), start);
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
