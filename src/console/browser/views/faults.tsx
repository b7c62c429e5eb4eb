/** The view of faults: ready-made faults, a form for any other fault, and how often each fault took effect. */
import { useState } from 'preact/hooks';
import { call, type Schemas, within } from '../live/api.ts';
import { useAnswer, useEnvironment } from '../live/environment.tsx';
import { useLoaded } from '../live/loaded.tsx';
import { Buttons, calling } from '../parts/buttons.tsx';
import { Card, Cards, Facts, Screen, Titled, toWords } from '../parts/layout.tsx';
import { SchemaForm } from '../parts/schema-form.tsx';
import { readApi, readBodySchema } from '../reference/document.ts';
import { failuresOf } from './fail-next.tsx';

type Fault = Schemas['Fault'];

export const Faults = () => {
  const { name } = useEnvironment();
  const faults = useAnswer<{ readonly faults: readonly Fault[] }>('/faults', 'request');
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
  const operations = useLoaded('', readApi).value?.operations.map(({ operationId }) => operationId) ?? [];
  return (
    <>
      <Titled className="card ready" id="ready" title="Fail the next call">
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
          <Buttons actions={failuresOf(name, operation)} />
        </div>
      </Titled>
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
  const add = () => call('POST', path, { operation, ...rule });
  const again = calling('Again', add, 'The fault was added again.');
  const remove = calling('Delete', () => call('DELETE', `${path}?id=${encodeURIComponent(id)}`));
  const present = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
  return (
    <Card
      title={operation === '*' ? 'Any operation' : operation}
      tag={used_up && 'used up'}
      of={id}
      actions={used_up ? [again, remove] : [remove]}
    >
      <Facts of={Object.entries(rule).map(([name, value]) => [toWords(name), present(value)])} />
      <p>
        Took effect on <b>{applied}</b> of {calls} calls.
      </p>
    </Card>
  );
};
