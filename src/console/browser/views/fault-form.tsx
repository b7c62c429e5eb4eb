/** The form for a new fault. */
import { call, type Schemas, within } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { useLoaded } from '../live/loaded.ts';
import { readBodySchema } from '../live/schemas.ts';
import { NEVER } from '../live/store.ts';
import { Loading } from '../parts/loading.tsx';
import { tell } from '../parts/notices.tsx';
import { SchemaForm } from '../parts/schema-form.tsx';

export const FaultForm = () => {
  const { name } = useEnvironment();
  const schema = useLoaded('', () => readBodySchema('addFault'), NEVER);
  const { value: coverage } = useLoaded(
    name,
    () => call<Schemas['Coverage']>('GET', within(name, '/coverage?format=json')),
    NEVER,
  );
  const operations = coverage?.by_operation.map(({ operation }) => operation) ?? [];
  return (
    <Loading from={schema}>
      {(value) => (
        <div class="card form-card">
          <SchemaForm
            schema={value}
            first={['operation', 'preset', 'status', 'delay_ms', 'times']}
            suggest={{ operation: ['*', ...operations] }}
            action="Add fault"
            onSend={async (rule) => {
              await call('POST', within(name, '/faults'), rule);
              tell('The fault is set.');
            }}
          />
        </div>
      )}
    </Loading>
  );
};
