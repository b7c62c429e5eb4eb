/** One member of a schema as a field: a list where the contract lists values, else a text. */
import { useId } from 'preact/hooks';
import type { Schema } from '../reference/document.ts';
import { toInline } from '../reference/prose.tsx';

export const Field = ({
  name,
  schema,
  value,
  onValue,
  isRequired,
  placeholder = '',
  hint,
  suggest = [],
}: {
  readonly name: string;
  readonly schema: Schema;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly isRequired: boolean;
  readonly placeholder?: string;
  /** What it is for. */
  readonly hint?: string | undefined;
  /** Values that are likely; others can be written. */
  readonly suggest?: readonly string[];
}) => {
  const id = useId();
  const choices = schema.type === 'boolean' ? ['true', 'false'] : schema.enum?.map(String);
  const control = {
    id,
    name,
    value,
    required: isRequired,
    'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onValue(currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>
        <code>{name}</code> {isRequired && <small>required</small>}
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
        <input {...control} placeholder={placeholder} list={suggest.length > 0 ? `${id}-list` : undefined} />
      )}
      {suggest.length > 0 && (
        <datalist id={`${id}-list`}>
          {suggest.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      {hint !== undefined && <small id={`${id}-hint`}>{toInline(hint)}</small>}
    </div>
  );
};

/** Whether its value is written as JSON; what may be a name instead is written as that. */
export const isStructured = ({ type = [], items, properties, additionalProperties }: Schema): boolean => {
  if (items !== undefined) return type === 'array' && isStructured(items);
  return !type.includes('string') && Boolean(properties ?? additionalProperties);
};
