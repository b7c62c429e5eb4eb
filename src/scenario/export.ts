/** An environment as a scenario writes it. */
import { allRows } from '../core/table.ts';
import type { Env } from '../domain/operation.ts';
import { DEFAULT_SETTINGS, type Settings } from '../domain/settings.ts';
import { writeSettings } from '../domain/settings-form.ts';
import type { State } from '../domain/state.ts';
import type { EnvironmentForm } from './sections/index.ts';
import { SECTIONS } from './sections/index.ts';
import { tableOf, unless } from './sections/section.ts';

/** Statuses are those of this instant. */
export type Now = Pick<Env, 'now' | 'start'>;

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
  const changed = Object.entries(writeSettings(settings)).filter(
    ([name, value]) => unless(value, Reflect.get(writeSettings(DEFAULT_SETTINGS), name)) !== undefined,
  );
  const lists = SECTIONS.map((section) => {
    const rows = [...allRows(tableOf(state, section.name))];
    return [section.name, rows.map((row) => section.toForm(state, row, { settings, at }))] as const;
  });
  return {
    id,
    ...(state.access_tokens.length > 0 && { access_tokens: state.access_tokens }),
    ...(changed.length > 0 && { settings: Object.fromEntries(changed) }),
    ...Object.fromEntries(lists.filter(([, rows]) => rows.length > 0)),
  };
};
