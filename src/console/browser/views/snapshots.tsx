/**
 * The view of snapshots: takes a snapshot, and sets the environment to a snapshot, to its start, to another scenario, or
 * to a scenario file.
 */
import { useState } from 'preact/hooks';
import { call, partsOf, type Row, type Schemas, send, within } from '../live/api.ts';
import { useAnswer, useEnvironment } from '../live/environment.tsx';
import { useLoaded } from '../live/loaded.tsx';
import { Buttons, calling, saveFile } from '../parts/buttons.tsx';
import { Card, Cards, Screen } from '../parts/layout.tsx';
import { act, actWithUndo, createProgress, resetEnvironment } from '../parts/notices.tsx';
import { SchemaForm } from '../parts/schema-form.tsx';
import { readBodySchema } from '../reference/document.ts';
import { Time } from './value.tsx';

type Snapshot = Schemas['Snapshot'];

export const Snapshots = () => {
  const environment = useEnvironment().name;
  const kept = useAnswer<{ readonly snapshots: readonly Snapshot[] }>('/snapshots');
  const take = async (given: Row): Promise<string> => {
    const { name } = await call<Snapshot>('POST', within(environment, '/snapshots'), given);
    const isReplaced = kept.value?.snapshots.some((snapshot) => snapshot.name === name);
    return `The snapshot ${name} was taken${isReplaced ? ', in place of the earlier one' : ''}.`;
  };
  return (
    <Screen title="Snapshots, scenarios">
      <div class="card form-card">
        <SchemaForm read={() => readBodySchema('takeSnapshot')} action="Take a snapshot" onSend={take} />
      </div>
      <Cards from={kept} empty="None yet. A snapshot keeps state, clock and settings.">
        {({ snapshots }) =>
          snapshots.toReversed().map((each) => <SnapshotCard key={each.name} snapshot={each} />)
        }
      </Cards>
      <Scenarios />
    </Screen>
  );
};

const SnapshotCard = ({ snapshot: { name, time } }: { readonly snapshot: Snapshot }) => {
  const environment = useEnvironment().name;
  const path = within(environment, `/snapshots/${encodeURIComponent(name)}`);
  const done = `${environment} was restored from ${name}.`;
  const restore = () => actWithUndo(environment, () => call('POST', `${path}/restore`), done);
  const actions = [{ label: 'Restore', choose: restore }, calling('Delete', () => call('DELETE', path))];
  return (
    <Card title={name} actions={actions}>
      <p>
        The clock showed <Time value={time} />.
      </p>
    </Card>
  );
};

/** Scenarios that the environment can switch to. */
const Scenarios = () => {
  const { name: environment, details } = useEnvironment();
  const switchTo = (scenario: string) =>
    resetEnvironment(environment, { scenario }, `${environment} now has the scenario ${scenario}.`);
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
              actions={[{ label: 'Switch', choose: () => switchTo(name) }]}
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

/** Exports the environment as a scenario file, and imports one. The server writes and reads the files. */
const ScenarioFile = () => {
  const { name } = useEnvironment();
  const [isRelative, setRelative] = useState(false);
  const save = () => act(() => exportScenario(name, isRelative), `${name}.yaml was saved.`);
  return (
    <div class="card cluster file">
      <Buttons actions={[{ label: 'Export', choose: save }]} />
      <label class="button">
        Import
        <input
          type="file"
          class="unseen"
          accept=".yaml,.yml,.json"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            currentTarget.value = ''; // so that the same file can be chosen again
            if (file) importScenario(name, file);
          }}
        />
      </label>
      <label class="check">
        <input type="checkbox" checked={isRelative} onChange={() => setRelative(!isRelative)} />
        Export times as distances from now, for a fixture that stays fresh
      </label>
    </div>
  );
};

const inMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** @param isRelative writes times as distances from now, so that a fixture stays fresh */
const exportScenario = async (name: string, isRelative: boolean): Promise<void> => {
  const file = `${name}.yaml`;
  const say = createProgress();
  try {
    say(`Writing ${file}…`);
    const query = new URLSearchParams({ format: 'yaml', relative: String(isRelative) });
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let [bytes, told] = [0, performance.now()];
    for await (const part of partsOf(await send('GET', within(name, `/scenario?${query}`)))) {
      parts.push(part);
      bytes += part.length;
      if (performance.now() - told < 500) continue;
      told = performance.now();
      say(`Writing ${file}: ${inMegabytes(bytes)} so far…`);
    }
    saveFile(file, new Blob(parts));
  } finally {
    say();
  }
};

const importScenario = async (name: string, file: File): Promise<unknown> => {
  const say = createProgress();
  let from = name;
  const put = async (): Promise<void> => {
    say(`Reading ${file.name}, ${inMegabytes(file.size)}…`);
    try {
      ({ from } = await call<{ readonly from: string }>('PUT', within(name, '/scenario'), file));
    } finally {
      say();
    }
  };
  const done = () =>
    `${name} now has the scenario ${file.name}${from === name ? '' : `, from its environment ${from}`}.`;
  return actWithUndo(name, put, done);
};
