/** The form of a row: at most four fields, and all else as YAML of the scenario file. The server checks both. */
import { useEffect, useId, useState } from 'preact/hooks';
import { answer, api, CallError, type KindName, type MockSchemas, type Row } from '../live/api.ts';
import { useLoaded } from '../live/loaded.tsx';
import { step, tell } from '../parts/acts.ts';
import { toWords } from '../parts/layout.tsx';
import { Linked } from '../parts/links.tsx';
import { callOf, type Kind } from '../parts/moves.ts';
import { within } from '../route.ts';

type FieldOf = MockSchemas['Kind']['fields'][number];

interface RowFormProps {
  readonly kind: Kind;
  /** The row to edit; absent for a new row. */
  readonly row?: Row;
  /** Values of fields to begin with. */
  readonly given?: Readonly<Record<string, string>>;
  /** Called with the row's id after saving. */
  readonly onDone: (id: string) => void;
}

export const RowForm = ({ kind, row, given = {}, onDone }: RowFormProps) => {
  const [fields, setFields] = useState<Readonly<Record<string, string>>>(row ? {} : given);
  const [text, setText] = useState<string>();
  const [problem, setProblem] = useState<Error>();
  const before = useLoaded(row?.id ?? '', () => readForm(kind.kind, row)).value;
  useEffect(() => {
    if (before && text === undefined) {
      setText(before.text ?? '');
      setFields({ ...before.fields, ...fields });
    }
  }, [before]);
  const shown = kind.fields.filter(({ onlyNew }) => !row || !onlyNew);
  const wrong = placeProblems(problem, shown);
  const names = shown.map(({ name }) => name);
  const send = async (): Promise<void> => {
    const label = row ? `Edit ${callOf(row)}` : `New ${kind.one} ${fields[names[0] ?? ''] ?? ''}`.trim();
    const sent = Object.entries(fields).filter(([name]) => names.includes(name));
    const body = { fields: Object.fromEntries(sent), text: text ?? '' };
    const path = within({ kind: kind.kind, id: row?.id ?? '' });
    const { id } = await step(label, () =>
      answer(
        row
          ? api.PUT('/environments/{env}/rows/{kind}/{id}', { params: { path }, body })
          : api.POST('/environments/{env}/rows/{kind}', { params: { path }, body }),
      ),
    );
    tell(`${toWords(kind.one)} ${row ? 'saved' : 'created'}.`);
    onDone(id);
  };
  const others = kind.members.filter((name) => !names.includes(name));
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
      {shown.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={fields[field.name] ?? ''}
          problem={wrong.byField[field.name]}
          onValue={(value) => setFields((last) => ({ ...last, [field.name]: value }))}
        />
      ))}
      {kind.members.length > 0 && (
        <details open={row !== undefined || wrong.byField.text !== undefined}>
          <summary>All else, as in a scenario file</summary>
          <textarea
            aria-label="All else as YAML"
            aria-invalid={wrong.byField.text !== undefined}
            rows={Math.min(24, (text ?? '').split('\n').length + 2)}
            value={text ?? ''}
            spellcheck={false}
            placeholder={`${others[0] ?? 'member'}: value`}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
          {wrong.byField.text && <p class="wrong">{wrong.byField.text}</p>}
          <small>Members: {others.join(', ')}</small>
        </details>
      )}
      {wrong.others.length > 0 && (
        <div class="problem" role="alert">
          <p>
            <Linked text={wrong.others.join('\n')} />
          </p>
        </div>
      )}
      <button type="submit" class="primary">
        {row ? 'Save' : `Create ${kind.one}`}
      </button>
    </form>
  );
};

const readForm = async (kind: KindName, row: Row | undefined): Promise<MockSchemas['Form']> =>
  row
    ? answer(
        api.GET('/environments/{env}/forms/{kind}/{id}', {
          params: { path: within({ kind, id: row.id }) },
        }),
      )
    : {};

interface FieldProps {
  readonly field: FieldOf;
  readonly value: string;
  readonly problem: string | undefined;
  readonly onValue: (value: string) => void;
}

const Field = ({ field, value, problem, onValue }: FieldProps) => {
  const { name, label = toWords(name), required = false, many = false, pick } = field;
  const id = useId();
  const picks = usePicks(pick);
  const control = {
    ...{ id, name, value, required },
    'aria-invalid': problem !== undefined,
    'aria-describedby': problem === undefined ? undefined : `${id}-problem`,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onValue(currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>
        {label} {required && <small class="required">required</small>}
      </label>
      {Array.isArray(pick) && !many ? (
        <select {...control}>
          <option />
          {pick.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      ) : (
        <input
          {...control}
          autocomplete="off"
          list={picks.length > 0 ? `${id}-list` : undefined}
          placeholder={many ? 'separated by commas' : undefined}
        />
      )}
      {picks.length > 0 && (
        <datalist id={`${id}-list`}>
          {picks.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      {problem && (
        <p id={`${id}-problem`} class="wrong">
          <Linked text={problem} />
        </p>
      )}
    </div>
  );
};

/** The natural keys of rows of a kind, to pick from. */
const usePicks = (pick: FieldOf['pick']): readonly string[] => {
  const kind = typeof pick === 'string' ? pick : undefined;
  const { value } = useLoaded(kind ?? '', async () => {
    if (!kind) return [];
    const path = within({ kind });
    const { rows } = await answer(
      api.GET('/environments/{env}/rows/{kind}', { params: { path, query: {} } }),
    );
    return rows.map(({ title, form, id }) =>
      kind === 'connected_accounts'
        ? `${form.connector}/${title}`
        : kind === 'organizations'
          ? String(form.name)
          : title || id,
    );
  });
  return value ?? [];
};

/** Finds the field of each problem: the outermost member of the violation's path that the form has. */
const placeProblems = (problem: Error | undefined, fields: readonly FieldOf[]) => {
  const byField: Record<string, string> = {};
  const others: string[] = [];
  const violations = problem instanceof CallError ? problem.violations : [];
  if (problem && violations.length === 0)
    others.push(problem.message, problem instanceof CallError ? problem.hint : '');
  const names = [...fields.map(({ name }) => name), 'text'];
  for (const { field, text } of violations) {
    const [section = '', ...members] = field.split(/[.[\]]+/);
    const name = [...members, section].find((member) => names.includes(member));
    if (name === undefined) others.push(text);
    else byField[name] = [byField[name], text].filter(Boolean).join(' ');
  }
  return { byField, others: others.filter(Boolean) };
};
