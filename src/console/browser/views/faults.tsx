/** Failures on demand: a form for a new one, and what each has done. */
import { call, type Schemas, within } from '../live/api.ts';
import { useAnswer, useEnvironment } from '../live/environment.tsx';
import { readBodySchema } from '../live/schemas.ts';
import { Buttons, calling } from '../parts/actions.tsx';
import { Card, Cards, Facts } from '../parts/cards.tsx';
import { SchemaForm } from '../parts/schema-form.tsx';
import { Screen } from '../parts/screen.tsx';

export const Faults = () => {
  const { name, faults } = useEnvironment();
  const path = within(name, '/faults');
  const count = faults.value?.faults.length ?? 0;
  const clear = calling('Delete all', () => call('DELETE', path), 'All faults are deleted.');
  return (
    <Screen title="Faults" count={count} actions={count > 0 && <Buttons actions={[clear]} />}>
      <NewFault path={path} />
      <Cards from={faults} empty="No faults: every call is answered as it should be.">
        {(value) => value.faults.map((fault) => <FaultCard key={fault.id} fault={fault} path={path} />)}
      </Cards>
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
          return 'The fault is set.';
        }}
      />
    </div>
  );
};

const FaultCard = ({ fault, path }: { readonly fault: Schemas['Fault']; readonly path: string }) => {
  const { id, calls, applied, operation, ...rule } = fault;
  const facts = Object.entries(rule).map(
    ([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)] as const,
  );
  return (
    <Card
      title={operation === '*' ? 'Any operation' : operation}
      of={id}
      actions={[calling('Delete', () => call('DELETE', `${path}?id=${encodeURIComponent(id)}`))]}
    >
      <Facts of={facts} />
      <p>
        Took effect on <b>{applied}</b> of {calls} calls.
      </p>
    </Card>
  );
};
