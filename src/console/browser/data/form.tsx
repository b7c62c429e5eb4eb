/** The form of a row: at most four fields, and all else as YAML of the scenario file. The server checks both. */
import { useId, useRef, useState } from 'preact/hooks';
import { answer, type CallError, here, type Kind, type MockSchemas, type Row } from '../live/api.ts';
import { readRows, useLoaded } from '../live/live.tsx';
import { step, tell } from '../parts/acts.ts';
import { Linked } from '../parts/code.tsx';
import { submitted, toWords } from '../parts/layout.tsx';
import { callOf } from '../parts/moves.ts';

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
  const [problem, setProblem] = useState<Partial<CallError>>({});
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
        <Field key={field.name} {...{ field, value: fields[field.name] ?? '', problem: wrong(field.name) }} />
      ))}
      {kind.members.length > 0 && (
        <details open={row !== undefined || wrong('text') !== ''}>
          <summary>All else, as in a scenario file</summary>
          <textarea
            ref={area}
            aria-label="All else as YAML"
            aria-invalid={wrong('text') !== ''}
            rows={Math.min(24, yaml.split('\n').length + 2)}
            defaultValue={yaml}
            spellcheck={false}
            placeholder={`${others[0] ?? 'member'}: value`}
          />
          {wrong('text') && <p class="wrong">{wrong('text')}</p>}
          <small>Members: {others.join(', ')}</small>
        </details>
      )}
      {wrong() && (
        <p class="problem" role="alert">
          <Linked text={wrong()} />
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
  readonly problem: string;
}

const Field = ({ field, value, problem }: FieldProps) => {
  const { name, label = toWords(name), required = false, many = false, pick } = field;
  const id = useId();
  const control = {
    ...{ id, name, required, 'aria-invalid': problem !== '' },
    'aria-describedby': problem ? `${id}-problem` : undefined,
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

/** Tells what is wrong with a field: the outermost member of the violation's path that the form has. Without a name, the rest. */
const placeProblems = (problem: Partial<CallError>, names: readonly string[]) => {
  const { message = '', hint = '', violations = [] } = problem;
  const placed = violations.map(({ field, text }) => {
    const [section = '', ...members] = field.split(/[.[\]]+/);
    return { text, at: [...members, section].find((member) => names.includes(member)) };
  });
  const told = placed.length > 0 ? placed : [{ text: `${message}\n${hint}`.trim(), at: undefined }];
  return (name?: string): string =>
    told.flatMap(({ text, at }) => (at === name ? [text] : [])).join(name ? ' ' : '\n');
};
