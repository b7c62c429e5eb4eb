/** Failures on demand: a form for a new one, and what each has done. */
import { call, type Schemas, within } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { Loading } from '../parts/loading.tsx';
import { act } from '../parts/notices.tsx';
import { FaultForm } from './fault-form.tsx';

export const Faults = () => {
  const { name, faults } = useEnvironment();
  return (
    <section class="view" aria-label="Faults">
      <header class="bar">
        <h1>
          Faults <span class="count">{faults.value?.length}</span>
        </h1>
        {faults.value !== undefined && faults.value.length > 0 && (
          <button
            type="button"
            onClick={() => act(call('DELETE', within(name, '/faults')), 'All faults are gone.')}
          >
            Delete all
          </button>
        )}
      </header>
      <FaultForm />
      <Loading from={faults}>{(all) => <FaultCards faults={all} />}</Loading>
    </section>
  );
};

const FaultCards = ({ faults }: { readonly faults: readonly Schemas['Fault'][] }) => {
  const { name } = useEnvironment();
  if (faults.length === 0) return <p class="empty">No faults: every call is answered as it should be.</p>;
  return (
    <ul class="cards">
      {faults.map((fault) => (
        <li key={fault.id} class="card">
          <h2>
            {fault.operation === '*' ? 'Any operation' : fault.operation} {describe(fault)}
          </h2>
          <p>
            Took effect on <b>{fault.applied}</b> of {fault.calls} calls.
          </p>
          <button
            type="button"
            class="small"
            aria-label={`Delete ${fault.id}`}
            onClick={() => act(call('DELETE', within(name, `/faults?id=${encodeURIComponent(fault.id)}`)))}
          >
            Delete
          </button>
        </li>
      ))}
    </ul>
  );
};

const describe = ({
  preset,
  status,
  error_code,
  body,
  delay_ms,
  bytes_per_second,
  abort,
  match,
  after,
  times,
  probability,
}: Schemas['Fault']): string =>
  [
    preset,
    (status !== undefined || error_code !== undefined) &&
      `answers ${[status ?? [], error_code ?? []].flat().join(' ')}`,
    body !== undefined && 'with a body of its own',
    delay_ms !== undefined && `waits ${numbersOf(delay_ms)} ms`,
    bytes_per_second !== undefined && `sends ${bytes_per_second} bytes per second`,
    abort && `breaks the connection off${abort === 'body' ? ' in the middle of the body' : ''}`,
    match && `where ${JSON.stringify(match)}`,
    after !== undefined && `after ${after} calls`,
    times !== undefined && `${times} times`,
    probability !== undefined && `with probability ${probability}`,
  ]
    .filter(Boolean)
    .join(', ');

const numbersOf = (delay: NonNullable<Schemas['Fault']['delay_ms']>): string =>
  typeof delay === 'number'
    ? String(delay)
    : Object.entries(delay)
        .map(([name, value]) => `${name} ${value}`)
        .join(' and ');
