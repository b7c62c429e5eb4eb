/** The view of snapshots and scenarios. Users can save the environment here, and load a snapshot or a scenario. */
import { useState } from 'preact/hooks';
import { call, download, type MockSchemas, readList } from '../live/api.ts';
import { formatInstant } from '../live/clock.ts';
import { useEnvironment, useList } from '../live/environment.tsx';
import { useLoaded } from '../live/loaded.tsx';
import { Buttons, calling } from '../parts/buttons.tsx';
import { SchemaForm } from '../parts/forms.tsx';
import { Card, Cards, Screen } from '../parts/layout.tsx';
import { actWithUndo, resetEnvironment, tell } from '../parts/notices.ts';
import { readBodySchema } from '../reference/document.ts';
import { within } from '../route.ts';

type Snapshot = MockSchemas['Snapshot'];

export const Snapshots = () => {
  const kept = useList<Snapshot>('/snapshots');
  return (
    <Screen title="Snapshots, scenarios">
      <div class="card form-card">
        <SchemaForm
          read={() => readBodySchema('takeSnapshot')}
          action="Take snapshot"
          onSend={(given) => call<Snapshot>('POST', within('/snapshots'), given)}
          onSent={({ name }) => tell(`Snapshot “${name}” taken.`)}
        />
      </div>
      <Cards from={kept} empty="No snapshots yet. A snapshot contains the state, the clock and the settings.">
        {(all) => all.toReversed().map((each) => <SnapshotCard key={each.name} snapshot={each} />)}
      </Cards>
      <Scenarios />
    </Screen>
  );
};

const SnapshotCard = ({ snapshot: { name, time } }: { readonly snapshot: Snapshot }) => {
  const environment = useEnvironment().name;
  const path = within(`/snapshots/${encodeURIComponent(name)}`);
  const done = `${environment} was restored from the snapshot “${name}”.`;
  const restore = () => actWithUndo(() => call('POST', `${path}/restore`), done);
  const remove = () => actWithUndo(() => call('DELETE', path), `Snapshot “${name}” deleted.`);
  const actions = [
    { label: 'Restore', choose: restore },
    { label: 'Delete', choose: remove },
  ];
  return (
    <Card title={name} actions={actions}>
      <p>The clock showed {formatInstant(Date.parse(time))}.</p>
    </Card>
  );
};

const Scenarios = () => {
  const { details } = useEnvironment();
  return (
    <section aria-labelledby="scenarios">
      <h2 id="scenarios">Scenarios</h2>
      <ScenarioFile />
      <Cards from={useLoaded('', readScenarios)} empty="The fixtures folder is empty.">
        {(known) =>
          known.map(({ name, description }) => (
            <Card
              key={name}
              title={name}
              tag={name === details.scenario && 'in use'}
              of={`to ${name}`}
              actions={[{ label: 'Switch', choose: () => resetEnvironment(name) }]}
            >
              <p>{description}</p>
            </Card>
          ))
        }
      </Cards>
    </section>
  );
};

export const readScenarios = () => readList<MockSchemas['Scenario']>('scenarios');

/** Exports the environment as a scenario file, and imports a scenario file. The server writes and parses the files. */
const ScenarioFile = () => {
  const { name } = useEnvironment();
  const [isRelative, setRelative] = useState(false);
  const path = within(`/scenario?format=yaml&relative=${isRelative}`);
  const save = calling('Export', () => download(path, `${name}.yaml`), `${name}.yaml saved.`);
  return (
    <div class="card cluster file">
      <Buttons actions={[save]} />
      <label class="button">
        Import
        <input
          type="file"
          class="unseen"
          accept=".yaml,.yml,.json"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            currentTarget.value = ''; // an empty field lets the user choose the same file again
            if (file) importScenario(name, file);
          }}
        />
      </label>
      <label class="check">
        <input type="checkbox" checked={isRelative} onChange={() => setRelative(!isRelative)} />
        Export with times relative to now, so that the scenario stays up to date
      </label>
    </div>
  );
};

const importScenario = (name: string, file: File): Promise<unknown> => {
  let from = name;
  const query = new URLSearchParams({ file: file.name });
  const put = async (): Promise<void> => {
    ({ from } = await call<{ readonly from: string }>('PUT', within(`/scenario?${query}`), file));
  };
  const done = () => `${name} was imported from ${file.name}${from === name ? '' : `, environment ${from}`}.`;
  return actWithUndo(put, done);
};
