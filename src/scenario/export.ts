/** An environment as a scenario writes it. */
import { isDeepStrictEqual } from 'node:util';
import { type Moment, resolve } from '../core/moment.ts';
import { defined } from '../core/object.ts';
import { allRows, getRow } from '../core/table.ts';
import type { Now } from '../domain/operation.ts';
import type { InitialEnvironment } from '../domain/scenario.ts';
import { DEFAULT_SETTINGS, type Settings, writeSettings } from '../domain/settings.ts';
import type { State } from '../domain/state.ts';
import type { RowControl } from './row-source.ts';
import type { EnvironmentForm, ScenarioForm } from './sections/index.ts';
import { SECTIONS } from './sections/index.ts';
import { mergeForms, type Section, type Showing, showRow } from './sections/section.ts';
import { isPast } from './times.ts';
import { type RowOf, type TableName, tableOf } from './writing.ts';

/** What is exported: an environment as it is. */
export interface Exported {
  readonly id: string;
  readonly state: State;
  readonly settings: Settings;
}

/**
 * What a scenario would say under `environments.NAME` to give this state, without what follows by itself. Credentials
 * are included, since all of it is test data, but never the temporary secrets, which no state holds (behaviour A5).
 */
export const exportEnvironment = ({ id, state, settings }: Exported, at: Now): EnvironmentForm => {
  const lists = SECTIONS.map((section) => {
    const rows = [...allRows(tableOf(state, section.name))];
    return [section.name, rows.map((row) => showRow(section, state, row, { settings, at }))] as const;
  });
  return {
    id,
    ...(state.access_tokens.length > 0 && { access_tokens: state.access_tokens }),
    ...changedSettings(settings, DEFAULT_SETTINGS),
    ...withRows(lists),
  };
};

/** The scenario that an environment started from, and what of it was taken. */
export interface Base {
  /** As `extends` names it. */
  readonly scenario: string;
  readonly seed: number;
  readonly environment: InitialEnvironment;
}

/**
 * A scenario that gives this environment. On top of a base it says what differs alone, and leaves id and credentials of an
 * environment that was made at runtime out: they are no part of the data.
 */
export const exportScenario = (
  { name, isRuntime, ...environment }: Exported & { readonly name: string; readonly isRuntime: boolean },
  at: Now,
  base?: Base,
): ScenarioForm => {
  const { scenario, seed, environment: start } = base ?? {};
  const isShort = start !== undefined && (isRuntime || keepsBearers(environment, start));
  if (!isShort) return { environments: { [name]: exportEnvironment(environment, at) } };
  return {
    ...defined({ extends: scenario, seed: seed === 1 ? undefined : seed }),
    environments: { [start.name]: exportChanges(environment, at, start, isRuntime) },
  };
};

/** Bearers join those of what a scenario extends, so one that is gone cannot be said on top of it. */
const keepsBearers = ({ state }: Exported, start: InitialEnvironment): boolean =>
  start.state.access_tokens.every((token) => state.access_tokens.includes(token));

const exportChanges = (
  { id, state, settings }: Exported,
  at: Now,
  start: InitialEnvironment,
  isRuntime: boolean,
): EnvironmentForm => {
  const sections = SECTIONS.filter(({ name }) => !isRuntime || name !== 'clients');
  const before: Shown = { state: start.state, showing: { settings: start.settings, at: AT_START } };
  const lists = sections.map(
    (section) => [section.name, changedRows(section, before, { state, showing: { settings, at } })] as const,
  );
  const bearers = isRuntime ? [] : state.access_tokens;
  const added = bearers.filter((token) => !start.state.access_tokens.includes(token));
  return {
    ...(!isRuntime && id !== start.id && { id }),
    ...(added.length > 0 && { access_tokens: added }),
    ...changedSettings(settings, start.settings),
    ...withRows(lists),
  };
};

/** When the scenario is loaded again, nothing of it has been reached yet but what lies before its start. */
const AT_START: Now = { now: 0, start: 0 };

/** Settings that a flag of the server gave are said too, since the file is to give them without it. */
const changedSettings = (settings: Settings, base: Settings): Pick<EnvironmentForm, 'settings'> => {
  const [own, under, usual]: Record<string, unknown>[] = [settings, base, DEFAULT_SETTINGS].map((each) => ({
    ...writeSettings(each),
  }));
  const names = Object.keys({ ...usual, ...under, ...own }).filter((name) =>
    [under, usual].some((other) => !isDeepStrictEqual(own?.[name], other?.[name])),
  );
  if (names.length === 0) return {};
  return { settings: Object.fromEntries(names.map((name) => [name, own?.[name] ?? null])) };
};

const withRows = (lists: readonly (readonly [string, readonly object[]])[]): EnvironmentForm =>
  Object.fromEntries(lists.filter(([, rows]) => rows.length > 0));

interface Shown {
  readonly state: State;
  readonly showing: Showing & { readonly at: Now };
}

/** What turns the rows of one state into those of another, by the rule of `extends`. */
const changedRows = (section: Section, before: Shown, after: Shown): readonly RowControl[] => {
  const [under, over] = [tableOf(before.state, section.name), tableOf(after.state, section.name)];
  const { id } = under.spec;
  const removal = (row: RowOf<TableName>) => ({ [section.idMember ?? 'id']: id(row), remove: true });
  const gone = [...allRows(under)].filter((row) => getRow(over, id(row)) === undefined).map(removal);
  const changed = [...allRows(over)].flatMap((row): readonly RowControl[] => {
    const base = getRow(under, id(row));
    // Where nothing was done and no time was reached, there is nothing to say.
    if (base === row && !section.part && !reaches(row, after.showing.at)) return [];
    const form = showRow(section, after.state, row, after.showing);
    if (!base) return [form];
    const start = showRow(section, before.state, base, before.showing);
    if (isDeepStrictEqual(form, start)) return [];
    // That a member is gone cannot be said on top of what has it, nor can what is written within it.
    const change = changedMembers(section, start, form);
    const says = !section.part && isDeepStrictEqual(mergeForms(section, start, change), form);
    return says ? [change] : [removal(row), form];
  });
  return [...gone, ...changed];
};

/** Whether a row has a time after the start that has come since. */
const reaches = (value: unknown, at: Now): boolean => {
  if (typeof value === 'object' && value !== null)
    return Object.values(value).some((each) => reaches(each, at));
  const moment = value as Moment; // where it is a number as large as only these are
  return typeof value === 'number' && isPast(moment) === false && resolve(moment, at.start) <= at.now;
};

/** Members by which people know a row are kept. */
const changedMembers = ({ idMember = 'id', keys }: Section, start: object, form: RowControl): RowControl => {
  const naming = [idMember, ...keys, 'connector', 'identifier', 'account'];
  return Object.fromEntries(
    Object.entries(form).filter(
      ([name, value]) => naming.includes(name) || !isDeepStrictEqual(value, Reflect.get(start, name)),
    ),
  );
};
