/**
 * One member of a schema as a field of a form: a list of choices if the contract lists the values, a text field
 * otherwise.
 */
import { useId } from 'preact/hooks';
import type { Schema } from '../reference/document.ts';
import { toInline } from '../reference/prose.tsx';
import { toWords } from './words.ts';

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
  readonly suggest?: readonly string[];
}

export const Field = ({
  name,
  schema,
  value,
  onValue,
  isRequired,
  isChanged = false,
  placeholder = '',
  hint,
  problem,
  suggest = [],
}: FieldProps) => {
  const id = useId();
  const isSwitch = schema.type === 'boolean' || schema.const === true;
  const choices = isSwitch ? ['true', 'false'] : schema.enum?.map(String);
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
  return (
    <div class="field">
      <label for={id}>
        {toWords(name)} <code>{name}</code> {isRequired && <small class="required">required</small>}
        {isChanged && <span class="changed" title="Differs from the default" />}
      </label>
      <Control
        {...control}
        schema={schema}
        choices={choices}
        placeholder={placeholder}
        list={suggest.length > 0 ? `${id}-list` : undefined}
      />
      {suggest.length > 0 && (
        <datalist id={`${id}-list`}>
          {suggest.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      {problem !== undefined && (
        <p id={`${id}-problem`} class="wrong">
          {problem}
        </p>
      )}
      {hint !== undefined && <small id={`${id}-hint`}>{toInline(hint)}</small>}
    </div>
  );
};

interface ControlProps {
  readonly schema: Schema;
  readonly choices: readonly string[] | undefined;
  readonly placeholder: string | undefined;
  readonly list: string | undefined;
  readonly value: string;
  readonly required: boolean;
}

/** The element in which users enter a value: a choice, JSON, or a line of text. */
const Control = ({ schema, choices, placeholder, list, ...control }: ControlProps) => {
  if (choices)
    return (
      <select {...control}>
        {!(control.required && control.value !== '') && <option />}
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    );
  if (!isStructured(schema)) return <input {...control} placeholder={placeholder} list={list} />;
  const rows = Math.min(12, control.value.split('\n').length + 1);
  return <textarea {...control} rows={rows} placeholder="JSON" spellcheck={false} />;
};

/** Whether users enter the value as JSON. They enter a value as text if it may also be a name. */
export const isStructured = ({ type = [], items, properties, additionalProperties }: Schema): boolean => {
  if (items !== undefined) return type === 'array' && isStructured(items);
  return !type.includes('string') && Boolean(properties ?? additionalProperties);
};
