/** The settings of an environment, as fields that say where they differ from the usual. */
import { useEffect, useRef } from 'preact/hooks';
import { settings as SETTINGS } from '../../service/settings.ts';
import { answer, here, textOf } from './live/api.ts';
import { useEnvironment } from './live/environment.tsx';
import { Loading, useLoaded } from './live/loaded.tsx';
import { act } from './parts/acts.ts';
import { Titled, toWords } from './parts/layout.tsx';
import { readBodySchema, type Schema } from './reference/document.ts';
import { toInline } from './reference/schema.tsx';

const USUAL: Readonly<Record<string, unknown>> = { ...SETTINGS.write(SETTINGS.defaults) };

export const Settings = () => {
  const values: Readonly<Record<string, unknown>> = useEnvironment().details.settings;
  return (
    <Titled className="card" id="settings" title="Settings">
      <Loading from={useLoaded('', () => readBodySchema('changeSettings'))}>
        {({ properties = {} }) => (
          <ul class="plain">
            {Object.entries(properties).map(([name, schema]) => (
              <Setting key={name} {...{ name, schema }} value={toText(values[name])} />
            ))}
          </ul>
        )}
      </Loading>
    </Titled>
  );
};

const toText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : textOf(value);

const toValue = (text: string, { type }: Schema): unknown => {
  if (text === '') return null;
  try {
    return type === 'boolean' || text.startsWith('{') ? JSON.parse(text) : text;
  } catch {
    return text; // the mock says what is wrong
  }
};

interface SettingProps {
  readonly name: string;
  readonly schema: Schema;
  readonly value: string;
}

const Setting = ({ name, schema, value }: SettingProps) => {
  const field = useRef<HTMLInputElement & HTMLSelectElement>(null);
  const [title, usual] = [toWords(name), toText(USUAL[name])];
  const choices = schema.type === 'boolean' ? ['true', 'false'] : schema.enum?.map(String);
  const show = (): void => {
    if (field.current) field.current.value = value;
  };
  useEffect(show, [value]);
  const change = async (): Promise<void> => {
    const text = field.current?.value.trim() ?? '';
    const body = { [name]: toValue(text, schema) };
    const label = `${title}: ${text || 'none'}`;
    if ((await act(label, () => answer(here.PATCH('/settings', { body })))) === undefined) show();
  };
  const control = { ref: field, name, 'aria-label': title, onChange: change };
  return (
    <li>
      <b>
        {title} {value !== usual && <small title={`The default is ${usual || 'none'}`}>changed</small>}
      </b>
      <small>{toInline(schema.description?.split('\n\n')[0] ?? '')}</small>
      {choices ? (
        <select {...control}>
          {choices.map((choice) => (
            <option selected={choice === value}>{choice}</option>
          ))}
        </select>
      ) : (
        <input {...control} defaultValue={value} placeholder="none" />
      )}
    </li>
  );
};
