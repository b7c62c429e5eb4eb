/** The form of a row: at most four fields, and all else as YAML of the scenario file. The server checks both. */
import { useId, useRef, useState } from 'preact/hooks';
import { answer, CallError, here, type Kind, type MockSchemas, type Row } from '../live/api.ts';
import { useLoaded } from '../live/live.tsx';
import { step, tell } from '../parts/acts.ts';
import { Linked } from '../parts/code.tsx';
import { submitted, toWords } from '../parts/layout.tsx';
import { callOf } from '../parts/moves.ts';
import { readRows } from './use-rows.ts';

interface RowFormProps {
  readonly kind: Kind;
  /** The row to edit, and what its form says; absent for a new row. */
  readonly row?: Row;
  readonly before?: MockSchemas['Form'] | undefined;
  /** Values of fields to begin with. */
  readonly given?: Readonly<Record<string, string>>;
  /** Called with the row's id after saving. */
  readonly onDone: (id: string) => void;
}

export const RowForm = ({ kind, row, before = {}, given = {}, onDone }: RowFormProps) => {
  const [problem, setProblem] = useState<Error>();
  const { fields = given, text: yaml = '' } = before;
  const shown = kind.fields.filter(({ onlyNew }) => !row || !onlyNew);
  const names = shown.map(({ name }) => name);
  const wrong = placeProblems(problem, [...names, 'text']);
  const others = kind.members.filter((name) => !names.includes(name));
  const area = useRef<HTMLTextAreaElement>(null);
  const send = async (written: Readonly<Record<string, string>>): Promise<void> => {
    const text = area.current?.value ?? ''; // as it is: the first line can be indented
    const label = row ? `Edit ${callOf(row)}` : `New ${kind.one} ${written[names[0] ?? ''] ?? ''}`.trim();
    const path = { kind: kind.kind, id: row?.id ?? '' };
    const sent = { params: { path }, body: { fields: written, text } };
    const { id } = await step(label, () =>
      answer(row ? here.PUT('/rows/{kind}/{id}', sent) : here.POST('/rows/{kind}', sent)),
    );
    tell(`${toWords(kind.one)} ${row ? 'saved' : 'created'}.`);
    onDone(id);
  };
  return (
    <form class="fields" noValidate onSubmit={submitted((written) => send(written).catch(setProblem))}>
      {shown.map((field) => (
        <Field
          key={field.name}
          {...{ field, value: fields[field.name] ?? '', problem: wrong.byField[field.name] }}
        />
      ))}
      {kind.members.length > 0 && (
        <details open={row !== undefined || wrong.byField.text !== undefined}>
          <summary>All else, as in a scenario file</summary>
          <textarea
            ref={area}
            aria-label="All else as YAML"
            aria-invalid={wrong.byField.text !== undefined}
            rows={Math.min(24, yaml.split('\n').length + 2)}
            defaultValue={yaml}
            spellcheck={false}
            placeholder={`${others[0] ?? 'member'}: value`}
          />
          {wrong.byField.text && <p class="wrong">{wrong.byField.text}</p>}
          <small>Members: {others.join(', ')}</small>
        </details>
      )}
      {wrong.others.length > 0 && (
        <p class="problem" role="alert">
          <Linked text={wrong.others.join('\n')} />
        </p>
      )}
      <button type="submit" class="primary">
        {row ? 'Save' : `Create ${kind.one}`}
      </button>
    </form>
  );
};

interface FieldProps {
  readonly field: MockSchemas['Field'];
  readonly value: string;
  readonly problem: string | undefined;
}

const Field = ({ field, value, problem }: FieldProps) => {
  const { name, label = toWords(name), required = false, many = false, pick } = field;
  const id = useId();
  const control = {
    ...{ id, name, required, 'aria-invalid': problem !== undefined },
    'aria-describedby': problem && `${id}-problem`,
  };
  return (
    <div class="field">
      <label for={id}>
        {label} {required && <small class="required">required</small>}
      </label>
      {Array.isArray(pick) ? (
        <select {...control}>
          {['', ...pick].map((each) => (
            <option selected={each === value}>{each}</option>
          ))}
        </select>
      ) : (
        <input
          {...{ ...control, defaultValue: value, list: `${id}-list`, autocomplete: 'off' }}
          placeholder={many ? 'separated by commas' : undefined}
        />
      )}
      {typeof pick === 'string' && <Picks id={`${id}-list`} kind={pick} />}
      {problem && (
        <p id={`${id}-problem`} class="wrong">
          <Linked text={problem} />
        </p>
      )}
    </div>
  );
};

/** The names of rows of a kind, to pick from. */
const Picks = ({ id, kind }: { readonly id: string; readonly kind: string }) => {
  const { value } = useLoaded(kind, () => readRows(kind));
  return (
    <datalist id={id}>
      {value?.rows.map(({ key }) => (
        <option key={key} value={key} />
      ))}
    </datalist>
  );
};

/** Finds the field of each problem: the outermost member of the violation's path that the form has. */
const placeProblems = (problem: Error | undefined, names: readonly string[]) => {
  const byField: Record<string, string> = {};
  const others: string[] = [];
  const { violations, hint } = problem instanceof CallError ? problem : { violations: [], hint: '' };
  if (problem && violations.length === 0) others.push(problem.message, hint);
  for (const { field, text } of violations) {
    const [section = '', ...members] = field.split(/[.[\]]+/);
    const name = [...members, section].find((member) => names.includes(member));
    if (name === undefined) others.push(text);
    else byField[name] = [byField[name], text].filter(Boolean).join(' ');
  }
  return { byField, others: others.filter(Boolean) };
};
