/** The settings of an environment, as fields that say where they differ from the usual. */
import { useEffect, useRef } from 'preact/hooks';
import { settings as SETTINGS } from '../../service/settings.ts';
import { answer, api, textOf } from './live/api.ts';
import { useEnvironment } from './live/environment.tsx';
import { Loading, useLoaded } from './live/loaded.tsx';
import { act } from './parts/acts.ts';
import { Titled, toWords } from './parts/layout.tsx';
import { readBodySchema, type Schema } from './reference/document.ts';
import { toInline } from './reference/schema.tsx';
import { within } from './route.ts';

const USUAL: Readonly<Record<string, unknown>> = { ...SETTINGS.write(SETTINGS.defaults) };

export const Settings = () => {
  const { details } = useEnvironment();
  const schema = useLoaded('', () => readBodySchema('changeSettings'));
  const values: Readonly<Record<string, unknown>> = details.settings;
  return (
    <Titled className="card" id="settings" title="Settings">
      <Loading from={schema}>
        {({ properties = {} }) => (
          <ul class="plain">
            {Object.entries(properties).map(([name, of]) => (
              <Setting
                key={name}
                name={name}
                schema={of}
                value={toText(values[name])}
                usual={toText(USUAL[name])}
              />
            ))}
          </ul>
        )}
      </Loading>
    </Titled>
  );
};

const toText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : textOf(value);

const toValue = (text: string, schema: Schema): unknown => {
  if (text.trim() === '') return null;
  if (schema.type === 'boolean') return text === 'true';
  if (!text.startsWith('{')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text; // the mock says what is wrong
  }
};

interface SettingProps {
  readonly name: string;
  readonly schema: Schema;
  readonly value: string;
  readonly usual: string;
}

const Setting = ({ name, schema, value, usual }: SettingProps) => {
  const field = useRef<HTMLInputElement & HTMLSelectElement>(null);
  const choices = schema.type === 'boolean' ? ['true', 'false'] : schema.enum?.map(String);
  const change = async (text: string): Promise<void> => {
    if (text === value) return;
    const body = { [name]: toValue(text, schema) };
    const params = { path: within() };
    const done = await act(
      `${toWords(name)}: ${text || 'none'}`,
      () => answer(api.PATCH('/environments/{env}/settings', { params, body })),
      `${toWords(name)} is ${text || 'none'}.`,
    );
    if (done === undefined && field.current) field.current.value = value;
  };
  const control = {
    ...{ ref: field, name, 'aria-label': toWords(name) },
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      change(currentTarget.value),
  };
  useEffect(() => {
    if (field.current) field.current.value = value;
  }, [value]);
  return (
    <li>
      <b>
        {toWords(name)}{' '}
        {value !== usual && <span class="changed" title={`The default is ${usual || 'none'}`} />}
      </b>
      <small>{toInline(schema.description?.split('\n\n')[0] ?? '')}</small>
      {choices ? (
        <select {...control}>
          {choices.map((choice) => (
            <option key={choice} selected={choice === value}>
              {choice}
            </option>
          ))}
        </select>
      ) : (
        <input {...control} defaultValue={value} placeholder="none" />
      )}
    </li>
  );
};
