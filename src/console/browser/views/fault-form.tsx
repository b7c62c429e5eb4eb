/** The form for a new fault. */
import { call, type Schemas, within } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { useLoaded } from '../live/loaded.ts';
import { NEVER } from '../live/store.ts';
import { act } from '../parts/notices.tsx';

const STATUSES = [400, 401, 403, 404, 409, 429, 500, 501, 504];

export const FaultForm = () => {
  const { name } = useEnvironment();
  const { value: coverage } = useLoaded(
    name,
    () => call<Schemas['Coverage']>('GET', within(name, '/coverage?format=json')),
    NEVER,
  );
  const operations = coverage?.by_operation.map(({ operation }) => operation) ?? [];
  return (
    <form
      class="card form"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        act(call('POST', within(name, '/faults'), readRule(new FormData(form))), 'The fault is set.');
      }}
    >
      <label>
        Operation
        <select name="operation">
          <option value="*">Any operation</option>
          {operations.map((operation) => (
            <option key={operation}>{operation}</option>
          ))}
        </select>
      </label>
      <label>
        Does
        <select name="status">
          {STATUSES.map((status) => (
            <option key={status} value={status} selected={status === 500}>
              answer {status}
            </option>
          ))}
          <option value="abort">break off</option>
          <option value="">answer as usual</option>
        </select>
      </label>
      <NumberField label="Wait (ms)" name="delay_ms" max={600_000} />
      <NumberField label="After calls" name="after" />
      <NumberField label="Times" name="times" min={1} />
      <NumberField label="Probability" name="probability" max={1} step="0.05" />
      <button type="submit" class="primary">
        Add fault
      </button>
    </form>
  );
};

const NumberField = ({
  label,
  ...field
}: {
  readonly label: string;
  readonly name: string;
  readonly min?: number;
  readonly max?: number;
  readonly step?: string;
}) => (
  <label>
    {label}
    <input type="number" min={0} {...field} />
  </label>
);

/** What was left empty is left out. */
const readRule = (form: FormData): Record<string, unknown> => {
  const status = form.get('status');
  const numbers = ['delay_ms', 'after', 'times', 'probability'].flatMap((name) => {
    const value = form.get(name);
    return typeof value === 'string' && value !== '' ? [[name, Number(value)] as const] : [];
  });
  return {
    operation: form.get('operation'),
    ...(status === 'abort' ? { abort: true } : status !== '' && { status: Number(status) }),
    ...Object.fromEntries(numbers),
  };
};
