/** Settings as people write them, in scenarios and over the control plane: lengths of time as `15m` or `PT15M`. */
import { SETTINGS, type Settings, type SettingsTable } from './settings.ts';

/** Any of the settings, written out. */
export type SettingsForm = {
  readonly [Name in keyof SettingsTable]?: ReturnType<SettingsTable[Name]['write']>;
};

/** The JSON schema of `SettingsForm`. */
export const SETTINGS_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(
    Object.entries(SETTINGS).map(([name, { schema, words }]) => [name, { ...schema, description: words }]),
  ),
} as const;

/** What reads or writes a setting, of the type that the table gives it. */
type Translate = (value: unknown) => unknown;

const translate = (given: object, by: 'read' | 'write'): object =>
  Object.fromEntries(
    Object.entries(SETTINGS).flatMap(([name, setting]) => {
      const value: unknown = Reflect.get(given, name);
      return value === undefined ? [] : [[name, (setting[by] as Translate)(value)]];
    }),
  );

/** The settings that a form says which `SETTINGS_SCHEMA` accepts; those it leaves out are absent. */
export const readSettings = (form: SettingsForm): Partial<Settings> => translate(form, 'read');

/** The form that `readSettings` reads as these settings. */
export const writeSettings = (settings: Settings): SettingsForm => translate(settings, 'write');
