/** The view of faults: ready-made faults, a form for any other fault, and how often each fault took effect. */
import { useState } from 'preact/hooks';
import { call, type MockSchemas } from '../live/api.ts';
import { useList } from '../live/environment.tsx';
import { useLoaded } from '../live/loaded.tsx';
import { type Action, Buttons, calling, ICONS, Menu } from '../parts/buttons.tsx';
import { Choice } from '../parts/field.tsx';
import { SchemaForm } from '../parts/forms.tsx';
import { Card, Cards, Facts, Screen, Titled, toWords } from '../parts/layout.tsx';
import { tell } from '../parts/notices.ts';
import { readApi, readBodySchema } from '../reference/document.ts';
import { within } from '../route.ts';

type Fault = MockSchemas['Fault'];

export const Faults = () => {
  const faults = useList<Fault>('/faults', 'request');
  const path = within('/faults');
  const all = faults.value ?? [];
  const operations = useOperations();
  const clear = calling('Delete all', () => call('DELETE', path), 'All faults deleted.');
  const count = all.filter(({ used_up }) => !used_up).length;
  return (
    <Screen title="Faults" count={count} actions={all.length > 0 && <Buttons actions={[clear]} />}>
      <Titled className="card ready" id="ready" title="Fail the next call">
        <ReadyFaults />
      </Titled>
      <details class="card form-card">
        <summary>Custom fault</summary>
        <SchemaForm
          read={() => readBodySchema('addFault')}
          first={['operation', 'status', 'delay_ms', 'times']}
          suggest={{ operation: ['*', ...operations] }}
          action="Add fault"
          onSend={(rule) => call('POST', path, rule)}
          onSent={() => tell('Fault added.')}
        />
      </details>
      <Cards from={faults} empty="No faults. The mock answers every call as usual.">
        {(value) => value.map((fault) => <FaultCard key={fault.id} fault={fault} path={path} />)}
      </Cards>
    </Screen>
  );
};

const useOperations = (): readonly string[] =>
  useLoaded('', readApi).value?.operations.map(({ operationId }) => operationId) ?? [];

export const ReadyFaults = () => {
  const [operation, choose] = useState('*');
  const operations = useOperations();
  return (
    <>
      <Choice
        label="Operation"
        value={operation}
        options={[['*', 'any operation'], ...operations.map((each) => [each, each] as const)]}
        choose={choose}
      />
      <div class="cluster">
        <Buttons className="small" actions={failuresOf(operation)} />
      </div>
    </>
  );
};

const FaultCard = ({ fault, path }: { readonly fault: Fault; readonly path: string }) => {
  const { id, calls, applied, used_up, operation, ...rule } = fault;
  const add = () => call('POST', path, { operation, ...rule });
  const again = calling('Add again', add, 'Fault added again.');
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

const WAYS = [
  ['500', 'Internal error', { status: 500 }],
  ['503', 'Service unavailable, with Retry-After: 1', { status: 503, retry_after: 1 }],
  ['429', 'Too many requests, with Retry-After: 2', { status: 429, retry_after: 2 }],
  ['401', 'As if the token had expired', { status: 401 }],
  ['Cut connection', 'No reply at all', { abort: true }],
  ['Broken JSON', 'Status 200 with half a body', { body: '{"connected_accounts": [' }],
  ['Slow, 2 s', 'The usual answer, two seconds late', { delay_ms: 2_000 }],
  ['Wait 10 s', 'Longer than many clients wait', { delay_ms: 10_000 }],
] as const;

/** Makes the next call fail. @param operation the operationId of the call, or `*` for any call */
export const failing = (operation: string, label: string, rule: object): Action => {
  const which = operation === '*' ? 'call' : `${operation} call`;
  const add = () => call('POST', within('/faults'), { operation, times: 1, ...rule });
  return calling(label, add, `Fault added for the next ${which}: ${label}.`);
};

const failuresOf = (operation: string): readonly Action[] =>
  WAYS.map(([label, hint, rule]) => ({ ...failing(operation, label, rule), hint }));

export const FailNext = ({ operation }: { readonly operation: string }) => {
  const label = `Fail the next call: ${operation}`;
  const items = failuresOf(operation);
  return <Menu className="small" label={label} items={items} face={['Fail the next call ', ICONS.caret]} />;
};
