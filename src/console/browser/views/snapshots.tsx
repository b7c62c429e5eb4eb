/**
 * The view of snapshots: takes a snapshot, and sets the environment to a snapshot, to its start, or to another
 * scenario.
 */
import { call, type Row, type Schemas, within } from '../live/api.ts';
import { useAnswer, useEnvironment } from '../live/environment.tsx';
import { useLoaded } from '../live/loaded.tsx';
import { readBodySchema } from '../live/schemas.ts';
import { resetEnvironment, restoreSnapshot, switchScenario } from '../live/undo.ts';
import { Buttons, calling } from '../parts/actions.tsx';
import { Card, Cards } from '../parts/cards.tsx';
import { SchemaForm } from '../parts/schema-form.tsx';
import { Screen } from '../parts/screen.tsx';
import { Time } from '../parts/time.tsx';
import { ScenarioFile } from './scenario-file.tsx';

type Snapshot = Schemas['Snapshot'];

export const Snapshots = () => {
  const kept = useAnswer<{ readonly snapshots: readonly Snapshot[] }>('/snapshots');
  return (
    <Screen title="Snapshots, scenarios">
      <NewSnapshot kept={kept.value?.snapshots} />
      <Cards from={kept} empty="None yet. A snapshot keeps state, clock and settings.">
        {({ snapshots }) =>
          snapshots.toReversed().map((each) => <SnapshotCard key={each.name} snapshot={each} />)
        }
      </Cards>
      <Scenarios />
    </Screen>
  );
};

const NewSnapshot = ({ kept = [] }: { readonly kept: readonly Snapshot[] | undefined }) => {
  const { name: environment } = useEnvironment();
  const take = async (given: Row): Promise<string> => {
    const { name } = await call<Snapshot>('POST', within(environment, '/snapshots'), given);
    const isReplaced = kept.some((snapshot) => snapshot.name === name);
    return `The snapshot ${name} was taken${isReplaced ? ', in place of the earlier one' : ''}.`;
  };
  return (
    <div class="card form-card">
      <SchemaForm read={() => readBodySchema('takeSnapshot')} action="Take a snapshot" onSend={take} />
    </div>
  );
};

const SnapshotCard = ({ snapshot: { name, time } }: { readonly snapshot: Snapshot }) => {
  const environment = useEnvironment().name;
  const path = within(environment, `/snapshots/${encodeURIComponent(name)}`);
  const restore = { label: 'Restore', choose: () => restoreSnapshot(environment, name) };
  return (
    <Card title={name} actions={[restore, calling('Delete', () => call('DELETE', path))]}>
      <p>
        The clock showed <Time value={time} />.
      </p>
    </Card>
  );
};

/** Scenarios that the environment can switch to. */
const Scenarios = () => {
  const { name: environment, details } = useEnvironment();
  return (
    <section aria-labelledby="scenarios">
      <header class="bar">
        <h2 id="scenarios">Scenarios</h2>
        <Buttons actions={[{ label: 'Reset to the start', choose: () => resetEnvironment(environment) }]} />
      </header>
      <ScenarioFile />
      <Cards from={useLoaded('', readScenarios)} empty="The fixtures folder is empty.">
        {(known) =>
          known.map(({ name, description }) => (
            <Card
              key={name}
              title={name}
              tag={name === details.scenario && 'in use'}
              of={`to ${name}`}
              actions={[{ label: 'Switch', choose: () => switchScenario(environment, name) }]}
            >
              <p>{description}</p>
            </Card>
          ))
        }
      </Cards>
    </section>
  );
};

export const readScenarios = async (): Promise<readonly Schemas['Scenario'][]> =>
  (await call<{ readonly scenarios: Schemas['Scenario'][] }>('GET', 'scenarios')).scenarios;
