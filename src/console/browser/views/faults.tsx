/** The view of faults: ready-made faults, a form for any other fault, and how often each fault took effect. */
import { useState } from 'preact/hooks';
import { call, type Schemas, within } from '../live/api.ts';
import { onCall, useAnswer, useEnvironment } from '../live/environment.tsx';
import { useLoaded } from '../live/loaded.tsx';
import { readApi, readBodySchema } from '../live/schemas.ts';
import { Buttons, calling } from '../parts/actions.tsx';
import { Card, Cards, Facts } from '../parts/cards.tsx';
import { SchemaForm } from '../parts/schema-form.tsx';
import { Screen } from '../parts/screen.tsx';
import { toWords } from '../parts/words.ts';
import { failuresOf } from './fault-ways.tsx';

type Fault = Schemas['Fault'];

export const Faults = () => {
  const { name } = useEnvironment();
  const faults = useAnswer<{ readonly faults: readonly Fault[] }>('/faults', onCall);
  const path = within(name, '/faults');
  const all = faults.value?.faults ?? [];
  const clear = calling('Delete all', () => call('DELETE', path), 'All faults were deleted.');
  return (
    <Screen
      title="Faults"
      count={all.filter(({ used_up }) => !used_up).length}
      actions={all.length > 0 && <Buttons actions={[clear]} />}
    >
      <NewFault path={path} />
      <Cards from={faults} empty="No faults: every call is answered as usual.">
        {(value) => value.faults.map((fault) => <FaultCard key={fault.id} fault={fault} path={path} />)}
      </Cards>
    </Screen>
  );
};

const NewFault = ({ path }: { readonly path: string }) => {
  const { name } = useEnvironment();
  const [operation, choose] = useState('*');
  const contract = useLoaded('', readApi);
  const operations = contract.value?.operations.map(({ operationId }) => operationId) ?? [];
  return (
    <>
      <section class="card ready" aria-labelledby="ready">
        <h2 id="ready">Fail the next call</h2>
        <label>
          of{' '}
          <select value={operation} onChange={({ currentTarget }) => choose(currentTarget.value)}>
            <option value="*">any operation</option>
            {operations.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <div class="cluster">
          {failuresOf(name, operation).map(({ label, hint, choose: fail }) => (
            <button type="button" key={label} title={hint} onClick={() => fail()}>
              {label}
            </button>
          ))}
        </div>
      </section>
      <details class="card form-card">
        <summary>Any other fault</summary>
        <SchemaForm
          read={() => readBodySchema('addFault')}
          first={['operation', 'status', 'delay_ms', 'times']}
          suggest={{ operation: ['*', ...operations] }}
          action="Add fault"
          onSend={async (rule) => {
            await call('POST', path, rule);
            return 'The fault was added.';
          }}
        />
      </details>
    </>
  );
};

const FaultCard = ({ fault, path }: { readonly fault: Fault; readonly path: string }) => {
  const { id, calls, applied, used_up, operation, ...rule } = fault;
  const remove = calling('Delete', () => call('DELETE', `${path}?id=${encodeURIComponent(id)}`));
  const again = calling(
    'Again',
    () => call('POST', path, { operation, ...rule }),
    'The fault was added again.',
  );
  const facts = Object.entries(rule).map(
    ([name, value]) =>
      [toWords(name), typeof value === 'object' ? JSON.stringify(value) : String(value)] as const,
  );
  return (
    <Card
      title={operation === '*' ? 'Any operation' : operation}
      tag={used_up && 'used up'}
      of={id}
      actions={used_up ? [again, remove] : [remove]}
    >
      <Facts of={facts} />
      <p>
        Took effect on <b>{applied}</b> of {calls} calls.
      </p>
    </Card>
  );
};
