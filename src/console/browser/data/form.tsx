/** The form of a row: at most four fields, and all else as YAML of the scenario file. The server checks both. */
import { useId, useState } from 'preact/hooks';
import { answer, type CallError, here, type Kind, type MockSchemas, type Row } from '../live/api.ts';
import { readRows, useLoaded } from '../live/live.tsx';
import { callOf, step, tell } from '../parts/acts.ts';
import { Linked } from '../parts/code.tsx';
import { submitted, toWords } from '../parts/layout.tsx';

type Form = MockSchemas['Form'];

/** @param row the row to edit; absent for a new one. @param onDone called with the row's id after saving */
type RowFormProps = Readonly<{ kind: Kind; row?: Row; before: Form; onDone(id: string): void }>;

export const RowForm = ({ kind, row, before: { fields = {}, text = '' }, onDone }: RowFormProps) => {
  const [problem, setProblem] = useState<Partial<CallError>>({});
  const shown = kind.fields.filter(({ onlyNew }) => !row || !onlyNew);
  const names = shown.map(({ name }) => name);
  const others = kind.members.filter((name) => !names.includes(name));
  const wrong = placeProblems(problem, [...names, 'text']);
  const send = (written: Readonly<Record<string, string>>) =>
    save(kind, row, written).then(onDone).catch(setProblem);
  return (
    <form class="fields" noValidate onSubmit={submitted(send)}>
      {shown.map((field) => (
        <Field key={field.name} {...{ field, value: fields[field.name], problem: wrong(field.name) }} />
      ))}
      {kind.members.length > 0 && (
        <Others {...{ text, names: others, isOpen: row !== undefined, problem: wrong('text') }} />
      )}
      {wrong() && <p class="problem" role="alert" children={<Linked text={wrong()} />} />}
      <button type="submit" class="primary">
        {row ? 'Save' : `Create ${kind.one}`}
      </button>
    </form>
  );
};

/** @returns the id of the row */
const save = async (kind: Kind, row: Row | undefined, { text = '', ...fields }: Form['fields'] & object) => {
  const [first = ''] = Object.values(fields);
  const label = row ? `Edit ${callOf(row)}` : `New ${kind.one} ${first}`.trim();
  const sent = { params: { path: { kind: kind.kind, id: row?.id ?? '' } }, body: { fields, text } };
  const call = () => answer(row ? here.PUT('/rows/{kind}/{id}', sent) : here.POST('/rows/{kind}', sent));
  const { id } = await step(label, call);
  tell(`${toWords(kind.one)} ${row ? 'saved' : 'created'}.`);
  return id;
};

type OthersProps = Readonly<{ text: string; names: readonly string[]; isOpen: boolean; problem: string }>;

/** The members without a field, as YAML. */
const Others = ({ text, names, isOpen, problem }: OthersProps) => (
  <details open={isOpen || problem !== ''}>
    <summary>All else, as in a scenario file</summary>
    <textarea
      {...{ name: 'text', spellcheck: false, defaultValue: text }}
      aria-label="All else as YAML"
      aria-invalid={problem !== ''}
      rows={Math.min(24, text.split('\n').length + 2)}
      placeholder={`${names[0] ?? 'member'}: value`}
    />
    {problem && <p class="wrong">{problem}</p>}
    <small>Members: {names.join(', ')}</small>
  </details>
);

type FieldProps = Readonly<{ field: MockSchemas['Field']; value: string | undefined; problem: string }>;

/** A field, with what its contract lists or the names of rows of a kind to pick from. */
const Field = ({ field, value = '', problem }: FieldProps) => {
  const { name, label = toWords(name), required = false, many = false, pick = [] } = field;
  const id = useId();
  const isFixed = typeof pick !== 'string';
  const readPicks = async () => (isFixed ? pick : (await readRows(pick)).rows.map(({ key }) => key));
  const placeholder = many ? 'separated by commas' : isFixed ? pick.slice(0, 4).join(' · ') : '';
  return (
    <div class="field">
      <label for={id}>
        {label} {required && <small class="required">required</small>}
      </label>
      <input
        {...{ id, name, required, list: `${id}-list`, placeholder, defaultValue: value, autocomplete: 'off' }}
        aria-invalid={problem !== ''}
        aria-describedby={problem ? `${id}-problem` : undefined}
      />
      <datalist id={`${id}-list`}>
        {useLoaded('', readPicks).value?.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      {problem && <p id={`${id}-problem`} class="wrong" children={<Linked text={problem} />} />}
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
