/** Failures on demand: a form for a new one, and what each has done. */
import { call, type Schemas, within } from '../live/api.ts';
import { useAnswer, useEnvironment } from '../live/environment.tsx';
import { Loading } from '../live/loaded.tsx';
import { readBodySchema } from '../live/schemas.ts';
import { act, tell } from '../parts/notices.tsx';
import { SchemaForm } from '../parts/schema-form.tsx';
import { Screen } from '../parts/screen.tsx';

export const Faults = () => {
  const { name, faults } = useEnvironment();
  const all = faults.value?.faults;
  const path = within(name, '/faults');
  return (
    <Screen
      title="Faults"
      count={all?.length}
      actions={
        all &&
        all.length > 0 && (
          <button type="button" onClick={() => act(call('DELETE', path), 'All faults are deleted.')}>
            Delete all
          </button>
        )
      }
    >
      <NewFault path={path} />
      <Loading from={faults}>{(value) => <FaultCards faults={value.faults} path={path} />}</Loading>
    </Screen>
  );
};

const NewFault = ({ path }: { readonly path: string }) => {
  const coverage = useAnswer<Schemas['Coverage']>('/coverage?format=json').value;
  const operations = coverage?.by_operation.map(({ operation }) => operation) ?? [];
  return (
    <div class="card form-card">
      <SchemaForm
        read={() => readBodySchema('addFault')}
        first={['operation', 'preset', 'status', 'delay_ms', 'times']}
        suggest={{ operation: ['*', ...operations] }}
        action="Add fault"
        onSend={async (rule) => {
          await call('POST', path, rule);
          tell('The fault is set.');
        }}
      />
    </div>
  );
};

const FaultCards = ({
  faults,
  path,
}: {
  readonly faults: readonly Schemas['Fault'][];
  readonly path: string;
}) =>
  faults.length === 0 ? (
    <p class="empty">No faults: every call is answered as it should be.</p>
  ) : (
    <ul class="cards">
      {faults.map(({ id, calls, applied, operation, ...rule }) => (
        <li key={id} class="card">
          <h2>{operation === '*' ? 'Any operation' : operation}</h2>
          <dl class="facts">
            {Object.entries(rule).map(([name, value]) => (
              <div key={name}>
                <dt>
                  <code>{name}</code>
                </dt>
                <dd>{typeof value === 'object' ? JSON.stringify(value) : String(value)}</dd>
              </div>
            ))}
          </dl>
          <p>
            Took effect on <b>{applied}</b> of {calls} calls.
          </p>
          <button
            type="button"
            class="small"
            aria-label={`Delete ${id}`}
            onClick={() => act(call('DELETE', `${path}?id=${encodeURIComponent(id)}`))}
          >
            Delete
          </button>
        </li>
      ))}
    </ul>
  );
