/**
 * A form made from a schema of the contract. It sends only the members that the user changed, and shows problems next
 * to their fields.
 */
import { useState } from 'preact/hooks';
import { CallError, type Row } from '../live/api.ts';
import { Loading, useLoaded } from '../live/loaded.tsx';
import { merge, type Schema } from '../reference/document.ts';
import { Field, toText, toValue } from './field.tsx';
import { tell } from './notices.tsx';

interface FormProps {
  /** The row as it is now. */
  readonly row?: Row | undefined;
  /** The default values. A field with another value gets a dot. */
  readonly defaults?: Row;
  /** The members to show first. The other members are folded. Default: all members are shown. */
  readonly first?: readonly string[];
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

/**
 * Members without a field: a scenario file repeats or removes rows by the first two, and the menu of a status changes
 * the others.
 */
const HIDDEN = ['repeat', 'remove', 'status', 'membership_status', 'stored_status'];

const Form = (props: FormProps & { readonly schema: Schema }) => {
  const { schema, row = {}, defaults, first, suggest = {}, action, onSend } = props;
  const { properties = {}, required = [] } = schema;
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<Error>();
  const names = Object.keys(properties).filter((name) => first?.includes(name) || !HIDDEN.includes(name));
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
        suggest={suggest[name]}
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

/** Matches a problem of a scenario row: `connected_accounts[0].connector: there is no ...`, at any depth. */
const OF_ROW = /^\w+\[\d+\](?:\.memberships\[\d+\])?\.(\w+)[^:\s]*: (.+)$/;

/**
 * Matches a problem of a body: `magic_link_ttl is "soon", but must be ...`, and problems that the form itself finds.
 */
const OF_BODY = /^(\w+)(?:[.[][^\s:]*)?:? (.+)$/;

/**
 * Finds the field that each sentence of an error message is about.
 * @param names the names of the form's fields
 */
const placeProblems = (message: string, names: readonly string[]) => {
  const byField: Record<string, string> = {};
  const others: string[] = [];
  for (const line of message.split(/\n|(?<=\.) (?=\w+ is )/)) {
    const [, name = '', words = ''] = OF_ROW.exec(line) ?? OF_BODY.exec(line) ?? [];
    if (names.includes(name)) byField[name] = [byField[name], words].filter(Boolean).join(' ');
    else if (line !== '') others.push(line.replace(/^\w+\[\d+\][^:]*: /, ''));
  }
  return { byField, others: others.join('\n') };
};
