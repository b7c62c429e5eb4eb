/**
 * One member of a schema as a field of a form: a list of choices if the contract lists the values, JSON for an object,
 * a line of text otherwise.
 */
import { useId } from 'preact/hooks';
import type { Schema } from '../reference/document.ts';
import { toInline } from '../reference/schema.tsx';
import { toWords } from './layout.tsx';

interface FieldProps {
  readonly name: string;
  readonly schema: Schema;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly isRequired: boolean;
  /** Whether the value differs from the default. */
  readonly isChanged?: boolean;
  readonly placeholder?: string;
  /** A sentence about the member. */
  readonly hint?: string | undefined;
  /** Why the mock refused the value. */
  readonly problem?: string | undefined;
  /** Likely values. The user can enter any other value too. */
  readonly suggest?: readonly string[] | undefined;
}

export const Field = (props: FieldProps) => {
  const { name, schema, value, onValue, isRequired, isChanged, placeholder, hint, problem, suggest } = props;
  const id = useId();
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  const control = {
    id,
    name,
    value,
    required: isRequired,
    'aria-invalid': problem !== undefined,
    'aria-describedby': described || undefined,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onValue(currentTarget.value),
  };
  const choices = isSwitch(schema) ? ['true', 'false'] : schema.enum?.map(String);
  return (
    <div class="field">
      <label for={id}>
        {toWords(name)} <code>{name}</code> {isRequired && <small class="required">required</small>}
        {isChanged && <span class="changed" title="Differs from the default" />}
      </label>
      {choices ? (
        <select {...control}>
          {!(isRequired && value !== '') && <option />}
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : isStructured(schema) ? (
        <textarea
          {...control}
          rows={Math.min(12, value.split('\n').length + 1)}
          placeholder="JSON"
          spellcheck={false}
        />
      ) : (
        <input {...control} placeholder={placeholder} list={suggest && `${id}-list`} />
      )}
      {suggest && (
        <datalist id={`${id}-list`}>
          {suggest.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      {problem && (
        <p id={`${id}-problem`} class="wrong">
          {problem}
        </p>
      )}
      {hint && <small id={`${id}-hint`}>{toInline(hint)}</small>}
    </div>
  );
};

/** Whether users enter the value as JSON. They enter a value as text if it may also be a name. */
const isStructured = ({ type = [], items, properties, additionalProperties }: Schema): boolean => {
  if (items !== undefined) return type === 'array' && isStructured(items);
  return !type.includes('string') && Boolean(properties ?? additionalProperties);
};

const isSwitch = (schema: Schema): boolean => schema.type === 'boolean' || schema.const === true;

/** The text of a value in a field. */
export const toText = (value: unknown): string => {
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return value.join(', ');
  return typeof value === 'object' && value ? JSON.stringify(value, undefined, 2) : String(value ?? '');
};

/** @throws Error if the text must be JSON but is not */
export const toValue = (name: string, text: string, schema: Schema): unknown => {
  const { items, anyOf = [] } = schema;
  const types = [schema.type].flat();
  if (text.trim() === '' || (text.trim() === 'null' && types.includes('null'))) return null;
  const listed = schema.enum?.find((each) => String(each) === text);
  if (listed !== undefined) return listed;
  if (text.includes(',') && anyOf.some((each) => each.type === 'array')) return readJson(name, `[${text}]`);
  if (isStructured(schema) || /^\s*[[{]/.test(text)) return readJson(name, text);
  if (isSwitch(schema)) return text === 'true';
  if (items && types.includes('array')) return text.split(',').map((each) => each.trim());
  const isNumber = [schema, ...anyOf].some(({ type }) => type === 'integer' || type === 'number');
  return isNumber && Number.isFinite(Number(text)) ? Number(text) : text;
};

const readJson = (name: string, text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${name}: this is not JSON`);
  }
};
