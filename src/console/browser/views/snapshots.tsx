/** Going back: to a snapshot, to the start, or on to another scenario. */
import { call, type Schemas, within } from '../live/api.ts';
import { useAnswer, useEnvironment } from '../live/environment.tsx';
import { Loading, useLoaded } from '../live/loaded.tsx';
import { resetEnvironment, restoreSnapshot } from '../live/undo.ts';
import { act } from '../parts/notices.tsx';
import { Screen } from '../parts/screen.tsx';
import { Time } from '../parts/time.tsx';
import { ScenarioFile } from './scenario-file.tsx';

export const Snapshots = () => {
  const { name, changes } = useEnvironment();
  const path = within(name, '/snapshots');
  const kept = useAnswer<{ readonly snapshots: readonly Schemas['Snapshot'][] }>('/snapshots', changes);
  return (
    <Screen title="Snapshots">
      <form
        class="card form"
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          const given = String(new FormData(form).get('name') ?? '').trim();
          const taken = call('POST', path, given === '' ? {} : { name: given });
          act(taken, 'The snapshot is taken.').then(() => form.reset());
        }}
      >
        <label>
          Name
          <input
            name="name"
            maxLength={100}
            pattern="[A-Za-z0-9][A-Za-z0-9 ._:\-]*"
            placeholder="a name is made up"
          />
        </label>
        <button type="submit" class="primary">
          Take a snapshot
        </button>
      </form>
      <Loading from={kept}>
        {({ snapshots }) =>
          snapshots.length === 0 ? (
            <p class="empty">None yet. A snapshot keeps state, clock and settings, at no cost.</p>
          ) : (
            <ul class="cards">
              {snapshots.toReversed().map((snapshot) => (
                <SnapshotCard key={snapshot.name} snapshot={snapshot} />
              ))}
            </ul>
          )
        }
      </Loading>
      <Scenarios />
    </Screen>
  );
};

const SnapshotCard = ({ snapshot: { name, time } }: { readonly snapshot: Schemas['Snapshot'] }) => {
  const environment = useEnvironment().name;
  const path = within(environment, `/snapshots/${encodeURIComponent(name)}`);
  return (
    <li class="card">
      <h2>{name}</h2>
      <p>
        The clock showed <Time value={time} />.
      </p>
      <p class="cluster">
        <button
          type="button"
          aria-label={`Restore ${name}`}
          onClick={() => restoreSnapshot(environment, name)}
        >
          Restore
        </button>
        <button type="button" aria-label={`Delete ${name}`} onClick={() => act(call('DELETE', path))}>
          Delete
        </button>
      </p>
    </li>
  );
};

/** Scenarios that the environment can be set to. */
const Scenarios = () => {
  const environment = useEnvironment();
  const scenarios = useLoaded('', readScenarios);
  return (
    <section aria-labelledby="scenarios">
      <header class="bar">
        <h2 id="scenarios">Scenarios</h2>
        <button type="button" onClick={() => resetEnvironment(environment)}>
          Reset to the start
        </button>
        <ScenarioFile />
      </header>
      <Loading from={scenarios}>
        {(known) => (
          <ul class="cards">
            {known.map(({ name, description }) => (
              <li key={name} class="card">
                <h3>
                  {name} {name === environment.details.scenario && <span class="tag">in use</span>}
                </h3>
                <p>{description}</p>
                <button
                  type="button"
                  aria-label={`Switch to ${name}`}
                  onClick={() => resetEnvironment(environment, name)}
                >
                  Switch
                </button>
              </li>
            ))}
          </ul>
        )}
      </Loading>
    </section>
  );
};

export const readScenarios = async (): Promise<readonly Schemas['Scenario'][]> =>
  (await call<{ readonly scenarios: Schemas['Scenario'][] }>('GET', 'scenarios')).scenarios;
