/** A form made from a schema. It sends the members that the user changed, and shows problems next to their fields. */
import { useState } from 'preact/hooks';
import { CallError, type Row } from '../live/api.ts';
import { Loading, useLoaded } from '../live/loaded.tsx';
import type { Schema } from '../reference/document.ts';
import { Field, toText, toValue } from './field.tsx';
import { Linked } from './linked.tsx';

interface FormProps<Reply> {
  readonly read: () => Promise<Schema>;
  readonly row?: Row | undefined;
  /** The default values. A field with another value gets a dot. */
  readonly defaults?: Row;
  /** The members to show at first. The user can unfold the other members. By default, all members are shown. */
  readonly first?: readonly string[];
  readonly suggest?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly action: string;
  /** Hears what the user has changed so far. */
  readonly onEdit?: (change: Row) => void;
  /** Sends the members that the user changed. An emptied member is null. */
  readonly onSend: (change: Row) => Promise<Reply>;
  /** Called after the form was sent. */
  readonly onSent: (reply: Reply) => unknown;
}

/** Members that forms leave out: `repeat` and `remove` work only in scenario files, and a status has a menu instead. */
const HIDDEN = ['repeat', 'remove', 'status', 'membership_status', 'stored_status'];

export const SchemaForm = <Reply,>(props: FormProps<Reply>) => {
  const { read, row = {}, defaults, first, suggest = {}, action, onEdit, onSend, onSent } = props;
  const schema = useLoaded('', read);
  const { properties = {}, required = [] } = schema.value ?? {};
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<Error>();
  const names = Object.keys(properties).filter((name) => first?.includes(name) || !HIDDEN.includes(name));
  const problems = placeProblems(problem, names);
  const written = (name: string): string => toText(row[name]);
  const changedIn = (given: typeof texts) =>
    Object.entries(given).filter(([name, text]) => text !== written(name));
  const changeOf = (given: typeof texts): Row =>
    Object.fromEntries(
      changedIn(given).map(([name, text]) => [name, toValue(name, text, properties[name] ?? {})]),
    );
  const edit = (next: typeof texts): void => {
    setTexts(next);
    try {
      onEdit?.(changeOf(next));
    } catch {
      // JSON that the user is still typing
    }
  };
  const send = async (): Promise<void> => {
    const reply = await onSend(changeOf(texts));
    edit({});
    onSent(reply);
  };
  const field = (name: string) => (
    <Field
      key={name}
      name={name}
      schema={properties[name] ?? {}}
      value={texts[name] ?? written(name)}
      isRequired={required.includes(name)}
      isChanged={defaults !== undefined && written(name) !== toText(defaults[name])}
      problem={problems.byField[name]}
      suggest={suggest[name]}
      onValue={(text) => edit({ ...texts, [name]: text })}
    />
  );
  const others = names.filter((name) => first && !first.includes(name));
  return (
    <Loading from={schema}>
      {() => (
        <form
          class="fields"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            setProblem(undefined);
            send().catch(setProblem);
          }}
        >
          {(first ?? names).filter((name) => name in properties).map(field)}
          {others.length > 0 && (
            <details open={others.some((name) => problems.byField[name] !== undefined)}>
              <summary>More fields ({others.length})</summary>
              <div class="fields">{others.map(field)}</div>
            </details>
          )}
          {problem && (
            <div class="problem" role="alert">
              <p>
                {problems.others.length === 0 && 'Nothing was changed. See the marked fields.'}
                <Linked text={problems.others.join('\n')} />
              </p>
              {problem instanceof CallError && problem.violations.length === 0 && (
                <small>{problem.hint}</small>
              )}
            </div>
          )}
          <button type="submit" class="primary">
            {action}
          </button>
        </form>
      )}
    </Loading>
  );
};

/** Finds the field of each problem: the outermost member of the violation's path that the form has. */
const placeProblems = (problem: Error | undefined, names: readonly string[]) => {
  const byField: Record<string, string> = {};
  const others: string[] = [];
  const violations = problem instanceof CallError ? problem.violations : [];
  if (problem && violations.length === 0) others.push(problem.message);
  for (const { field, text } of violations) {
    const [section = '', ...members] = field.split(/[.[\]]+/);
    const name = [...members, section].find((member) => names.includes(member));
    if (name === undefined) others.push(toSentence(text));
    else {
      const inner = members.slice(members.indexOf(name) + 1).filter((member) => /\D/.test(member));
      byField[name] = [byField[name], inner.join('.'), text].filter(Boolean).join(' ');
    }
  }
  return { byField, others };
};

/** A text that stood behind the name of a field, as a sentence. */
export const toSentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
