/** Going back: to a snapshot, to the start, or on to another scenario. */
import { call, type Schemas, within } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { useLoaded } from '../live/loaded.ts';
import { restoreSnapshot } from '../live/undo.ts';
import { Loading } from '../parts/loading.tsx';
import { act } from '../parts/notices.tsx';
import { Time } from '../parts/time.tsx';
import { Scenarios } from './scenarios.tsx';

interface Kept {
  readonly snapshots: readonly Schemas['Snapshot'][];
}

export const Snapshots = () => {
  const { name, changes } = useEnvironment();
  const kept = useLoaded(name, () => call<Kept>('GET', within(name, '/snapshots')), changes);
  return (
    <section class="view" aria-label="Snapshots and scenarios">
      <header class="bar">
        <h1>Snapshots</h1>
      </header>
      <form
        class="card form"
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          const given = String(new FormData(form).get('name') ?? '').trim();
          act(take(name, given), 'The snapshot is taken.').then(() => form.reset());
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
    </section>
  );
};

const take = (environment: string, name: string): Promise<object> =>
  call('POST', within(environment, '/snapshots'), name === '' ? {} : { name });

const SnapshotCard = ({ snapshot }: { readonly snapshot: Schemas['Snapshot'] }) => {
  const environment = useEnvironment();
  const { name, time } = snapshot;
  const path = within(environment.name, `/snapshots/${encodeURIComponent(name)}`);
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
          onClick={() => restoreSnapshot(environment.name, name)}
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
