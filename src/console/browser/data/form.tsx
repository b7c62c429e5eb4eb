/** The form of a row: at most four fields, and all else as YAML of the scenario file. The server checks both. */
import { useId, useRef, useState } from 'preact/hooks';
import { answer, type CallError, here, type Kind, type MockSchemas, type Row } from '../live/api.ts';
import { readRows, useLoaded } from '../live/live.tsx';
import { callOf, step, tell } from '../parts/acts.ts';
import { Linked } from '../parts/code.tsx';
import { submitted, toWords } from '../parts/layout.tsx';

/** @param row the row to edit; absent for a new one. @param onDone called with the row's id after saving */
type RowFormProps = Readonly<{
  kind: Kind;
  row?: Row;
  before: MockSchemas['Form'];
  onDone(id: string): void;
}>;

export const RowForm = ({ kind, row, before: { fields = {}, text: yaml = '' }, onDone }: RowFormProps) => {
  const [problem, setProblem] = useState<Partial<CallError>>({});
  const area = useRef<HTMLTextAreaElement>(null);
  const shown = kind.fields.filter(({ onlyNew }) => !row || !onlyNew);
  const names = shown.map(({ name }) => name);
  const others = kind.members.filter((name) => !names.includes(name));
  const wrong = placeProblems(problem, [...names, 'text']);
  const send = async (written: typeof fields): Promise<void> => {
    const text = area.current?.value ?? ''; // as it is: the first line can be indented
    const label = row ? `Edit ${callOf(row)}` : `New ${kind.one} ${written[names[0] ?? ''] ?? ''}`.trim();
    const path = { kind: kind.kind, id: row?.id ?? '' };
    const sent = { params: { path }, body: { fields: written, text } };
    const save = () => answer(row ? here.PUT('/rows/{kind}/{id}', sent) : here.POST('/rows/{kind}', sent));
    const { id } = await step(label, save);
    tell(`${toWords(kind.one)} ${row ? 'saved' : 'created'}.`);
    onDone(id);
  };
  return (
    <form class="fields" noValidate onSubmit={submitted((written) => send(written).catch(setProblem))}>
      {shown.map((field) => (
        <Field key={field.name} {...{ field, value: fields[field.name], problem: wrong(field.name) }} />
      ))}
      {kind.members.length > 0 && (
        <details open={row !== undefined || wrong('text') !== ''}>
          <summary>All else, as in a scenario file</summary>
          <textarea
            {...{ ref: area, spellcheck: false, defaultValue: yaml }}
            aria-label="All else as YAML"
            aria-invalid={wrong('text') !== ''}
            rows={Math.min(24, yaml.split('\n').length + 2)}
            placeholder={`${others[0] ?? 'member'}: value`}
          />
          {wrong('text') && <p class="wrong">{wrong('text')}</p>}
          <small>Members: {others.join(', ')}</small>
        </details>
      )}
      {wrong() && <p class="problem" role="alert" children={<Linked text={wrong()} />} />}
      <button type="submit" class="primary">
        {row ? 'Save' : `Create ${kind.one}`}
      </button>
    </form>
  );
};

type FieldProps = Readonly<{ field: MockSchemas['Field']; value: string | undefined; problem: string }>;

/** A field, with what its contract lists or the names of rows of a kind to pick from. */
const Field = ({ field, value = '', problem }: FieldProps) => {
  const { name, label = toWords(name), required = false, many = false, pick = [] } = field;
  const id = useId();
  const [list, told] = [`${id}-list`, `${id}-problem`];
  const isFixed = typeof pick !== 'string';
  const readPicks = async () => (isFixed ? pick : (await readRows(pick)).rows.map(({ key }) => key));
  const placeholder = many ? 'separated by commas' : isFixed ? pick.slice(0, 4).join(' · ') : '';
  return (
    <div class="field">
      <label for={id}>
        {label} {required && <small class="required">required</small>}
      </label>
      <input
        {...{ id, name, required, list, placeholder, defaultValue: value, autocomplete: 'off' }}
        aria-invalid={problem !== ''}
        aria-describedby={problem ? told : undefined}
      />
      <datalist id={list}>
        {useLoaded('', readPicks).value?.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      {problem && <p id={told} class="wrong" children={<Linked text={problem} />} />}
    </div>
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
