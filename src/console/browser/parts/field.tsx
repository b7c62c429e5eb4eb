/** A field for a value of a schema, the text in it, and the value of that text. */
import { useId } from 'preact/hooks';
import { CallError } from '../live/api.ts';
import type { Schema } from '../reference/document.ts';
import { toInline } from '../reference/schema.tsx';
import { toWords } from './layout.tsx';
import { Linked } from './linked.tsx';

interface FieldProps {
  readonly name: string;
  readonly schema: Schema;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly isRequired: boolean;
  readonly isChanged: boolean;
  readonly problem: string | undefined;
  /** Suggested values. The user can also enter any other value. */
  readonly suggest: readonly string[] | undefined;
}

export const Field = (props: FieldProps) => {
  const { name, schema, value, onValue, isRequired, isChanged, problem, suggest } = props;
  const id = useId();
  const { hint, placeholder } = helpOf(schema);
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
          <Linked text={problem} />
        </p>
      )}
      {hint && <small id={`${id}-hint`}>{toInline(hint)}</small>}
    </div>
  );
};

const helpOf = ({ description, items, example }: Schema) => ({
  hint: (description ?? items?.description)?.split('\n\n')[0],
  placeholder: toText(example) || (items && 'separated by commas'),
});

/** Whether users enter the value as JSON. A value that can also be a string is entered as text. */
const isStructured = ({ type = [], items, properties, additionalProperties }: Schema): boolean => {
  if (items !== undefined) return type === 'array' && isStructured(items);
  return !type.includes('string') && Boolean(properties ?? additionalProperties);
};

const isSwitch = (schema: Schema): boolean => schema.type === 'boolean' || schema.const === true;

export const toText = (value: unknown): string => {
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return value.join(', ');
  return typeof value === 'object' && value ? JSON.stringify(value, undefined, 2) : String(value ?? '');
};

/** Turns the text of a field into a value for the schema. @throws Error if the text must be JSON but is not */
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
    const violation = { field: name, text: `${name} must be valid JSON.` };
    throw new CallError(400, violation.text, '', [violation]);
  }
};

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, words: string])[];
  readonly choose: (value: string) => void;
}

export const Choice = ({ label, value, options, choose }: ChoiceProps) => (
  <label class="field">
    {label}
    <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
      {options.map(([each, words]) => (
        <option key={each} value={each}>
          {words}
        </option>
      ))}
    </select>
  </label>
);
