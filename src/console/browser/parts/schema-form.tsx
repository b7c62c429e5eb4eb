/**
 * A form made from a schema of the contract. It sends only the members that the user changed, and shows problems next
 * to their fields.
 */
import { useState } from 'preact/hooks';
import { CallError, type Row } from '../live/api.ts';
import { Loading, useLoaded } from '../live/loaded.tsx';
import type { Schema } from '../reference/document.ts';
import { merge } from '../reference/schema.tsx';
import { Field, isStructured } from './field.tsx';
import { tell } from './notices.tsx';
import { placeProblems } from './problems.ts';

interface FormProps {
  /** The row as it is now. */
  readonly row?: Row | undefined;
  /** The default values. A field with another value gets a dot. */
  readonly defaults?: Row;
  /** The members to show first. The other members are folded. Default: all members are shown. */
  readonly first?: readonly string[];
  /** Members that get no field. */
  readonly hidden?: readonly string[];
  /** Likely values of a member. */
  readonly suggest?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The label of the button. */
  readonly action: string;
  /**
   * @param change the members that differ from the row; null for a member that the user emptied
   * @returns the notice to show afterwards
   * @throws CallError
   */
  readonly onSend: (change: Row) => Promise<string>;
}

/** @param read reads the schema of the form */
export const SchemaForm = ({ read, ...props }: FormProps & { readonly read: () => Promise<Schema> }) => (
  <Loading from={useLoaded('', read)}>{(schema) => <Form {...props} schema={merge(schema)} />}</Loading>
);

const Form = ({
  schema: { properties = {}, required = [] },
  row = {},
  defaults,
  first,
  hidden = [],
  suggest = {},
  action,
  onSend,
}: FormProps & { readonly schema: Schema }) => {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<Error>();
  const names = Object.keys(properties).filter((name) => ![...ALWAYS_HIDDEN, ...hidden].includes(name));
  const problems = placeProblems(problem?.message ?? '', names);
  const written = (name: string): string => toText(row[name]);
  const send = async (): Promise<void> => {
    const changed = Object.entries(texts).filter(([name, text]) => text !== written(name));
    const values = changed.map(([name, text]) => [name, toValue(name, text, merge(properties[name] ?? {}))]);
    tell(await onSend(Object.fromEntries(values)));
    setTexts({});
  };
  const field = (name: string) => {
    const member = merge(properties[name] ?? {});
    return (
      <Field
        key={name}
        name={name}
        schema={member}
        value={texts[name] ?? written(name)}
        isRequired={required.includes(name)}
        isChanged={defaults !== undefined && written(name) !== toText(defaults[name])}
        hint={(member.description ?? member.items?.description)?.split('\n\n')[0]}
        problem={problems.byField[name]}
        placeholder={member.items ? 'one, another' : ''}
        suggest={suggest[name] ?? []}
        onValue={(text) => setTexts({ ...texts, [name]: text })}
      />
    );
  };
  const others = names.filter((name) => first && !first.includes(name));
  return (
    <form
      class="fields"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setProblem(undefined);
        send().catch(setProblem);
      }}
    >
      {(first ?? names).map(field)}
      {others.length > 0 && (
        <details open={others.some((name) => problems.byField[name] !== undefined)}>
          <summary>{others.length} more</summary>
          <div class="fields">{others.map(field)}</div>
        </details>
      )}
      {problem && (
        <div class="problem" role="alert">
          <p>{problems.others || 'Nothing was changed. See the fields that are marked.'}</p>
          {problems.others && problem instanceof CallError && <small>{problem.hint}</small>}
        </div>
      )}
      <button type="submit" class="primary">
        {action}
      </button>
    </form>
  );
};

/** The members by which a scenario file repeats or removes a row. */
const ALWAYS_HIDDEN = ['repeat', 'remove'];

/** The text of a value in a field. */
export const toText = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value, undefined, 2) : String(value);
};

/** @throws Error if the text must be JSON but is not */
export const toValue = (name: string, text: string, schema: Schema): unknown => {
  const { type, items, anyOf = [] } = schema;
  const isNull = text.trim() === 'null' && [type].flat().includes('null');
  if (isNull || text.trim() === '') return null;
  const listed = schema.enum?.find((each) => String(each) === text);
  if (listed !== undefined) return listed;
  if (text.includes(',') && anyOf.some((each) => each.type === 'array')) return readJson(name, `[${text}]`);
  if (isStructured(schema) || /^\s*[[{]/.test(text)) return readJson(name, text);
  if (type === 'boolean' || schema.const === true) return text === 'true';
  if (items && [type].flat().includes('array')) return text.split(',').map((each) => each.trim());
  const isNumber = [schema, ...anyOf].some(({ type: one }) => one === 'integer' || one === 'number');
  return isNumber && Number.isFinite(Number(text)) ? Number(text) : text;
};

const readJson = (name: string, text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${name}: this is not JSON`);
  }
};
