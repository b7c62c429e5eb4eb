/** Setup: what to connect to, scenario, snapshots, files, settings and environments, as plain rows on one page. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { answer, api, BASE, here, save } from './live/api.ts';
import { formatInstant } from './live/clock.ts';
import { type EnvironmentDetails, useEnvironment } from './live/environment.tsx';
import { Loading, useLive, useLoaded } from './live/loaded.tsx';
import { act, attempt, reset, tell } from './parts/acts.ts';
import { type Action, Buttons, CopyButton } from './parts/buttons.tsx';
import { toCurl } from './parts/code.tsx';
import { Facts, hasWords, Screen, SearchField, submitted, Titled } from './parts/layout.tsx';
import { makeEnvironment } from './parts/moves.ts';
import { addressOf, filter, useRoute } from './route.ts';
import { Settings } from './settings.tsx';

export const Setup = () => {
  const { part } = useRoute();
  useEffect(() => document.getElementById(part)?.scrollIntoView(), [part]);
  return (
    <Screen title="Setup">
      <div class="setup">
        <Connect />
        <Scenario />
        <Snapshots />
        <Files />
        <Settings />
        <Environments />
      </div>
    </Screen>
  );
};

/** What an application needs. @param isFirst whether the card stands in place of the calls */
export const Connect = ({ isFirst = false }: { readonly isFirst?: boolean }) => {
  const { client_id, client_secret, access_token } = useEnvironment().details;
  const url = new URL('..', BASE).href.replace(/\/$/, '');
  const values = [
    ['Base URL', 'CA_MOCK_URL', url],
    ['Client ID', 'CA_MOCK_CLIENT_ID', client_id],
    ['Client secret', 'CA_MOCK_CLIENT_SECRET', client_secret],
    ['Token', 'CA_MOCK_ACCESS_TOKEN', access_token],
  ] as const;
  const call = toCurl({
    ...{ method: 'GET', url: `${url}/api/v1/connected_accounts` },
    headers: { Authorization: `Bearer ${access_token ?? 'TOKEN'}` },
  });
  const env = values.flatMap(([, name, value]) => (value === undefined ? [] : `${name}=${value}`)).join('\n');
  return (
    <Titled
      className="card"
      id="connect"
      title={isFirst ? 'No calls yet: connect your application' : 'Connect'}
    >
      <p class="quiet">Set the base URL of your application to this one. Nothing else changes.</p>
      <Facts
        of={values.map(([title, , value]) => [
          title,
          value && [<code>{value}</code>, <CopyButton of={title} text={value} />],
        ])}
      />
      <p class="cluster">
        <CopyButton label="Copy as .env" text={env} />
        <CopyButton label="Copy a call" text={call} />
      </p>
    </Titled>
  );
};

interface LineProps {
  readonly title: ComponentChildren;
  readonly text: ComponentChildren;
  /** Tells the buttons of this line from the buttons of other lines. */
  readonly of: string;
  readonly actions: readonly Action[];
}

const Line = ({ title, text, of, actions }: LineProps) => (
  <li>
    <b>{title}</b>
    <span>{text}</span>
    <Buttons className="small" of={of} actions={actions} />
  </li>
);

const useScenarios = () => useLoaded('', () => answer(api.GET('/scenarios', {})));

const Scenario = () => {
  const { scenario } = useEnvironment().details;
  return (
    <Titled className="card" id="scenario" title="Scenario">
      <p class="cluster">
        <span>
          In use: <b>{scenario}</b>
        </span>
        <Buttons className="small" actions={[{ label: 'Reset', choose: () => reset() }]} />
      </p>
      <Loading from={useScenarios()}>
        {({ scenarios }) => (
          <ul class="plain">
            {scenarios.map(({ name, description }) => (
              <Line
                {...{ title: name, text: description, of: `to ${name}` }}
                actions={[{ label: 'Switch', choose: () => reset(name) }]}
              />
            ))}
          </ul>
        )}
      </Loading>
    </Titled>
  );
};

const Snapshots = () => {
  const environment = useEnvironment().name;
  const kept = useLive('', () => answer(here.GET('/snapshots')));
  const take = (body: { readonly name?: string }) =>
    act(
      'Take a snapshot',
      () => answer(here.POST('/snapshots', { body })),
      ({ name }) => `Snapshot “${name}” taken.`,
    );
  const actionsOf = (name: string): readonly Action[] => {
    const params = { path: { name } };
    const restore = () => answer(here.POST('/snapshots/{name}/restore', { params }));
    const remove = () => answer(here.DELETE('/snapshots/{name}', { params }));
    const restored = `${environment} was restored from the snapshot “${name}”.`;
    const removed = `Snapshot “${name}” deleted.`;
    return [
      { label: 'Restore', choose: () => act(`Restore ${name}`, restore, restored) },
      {
        label: 'Delete',
        isDangerous: true,
        choose: () => act(`Delete the snapshot ${name}`, remove, removed),
      },
    ];
  };
  return (
    <Titled className="card" id="snapshots" title="Snapshots">
      <form class="cluster" onSubmit={submitted(({ name }) => take(name ? { name } : {}))}>
        <input name="name" aria-label="Name of the snapshot" placeholder="snapshot-1" />
        <button type="submit">Take snapshot</button>
      </form>
      <Loading from={kept}>
        {({ snapshots }) => (
          <ul class="plain">
            {snapshots.toReversed().map(({ name, time }) => (
              <Line
                key={name}
                {...{ title: name, of: name, actions: actionsOf(name) }}
                text={`the clock showed ${formatInstant(Date.parse(time))}`}
              />
            ))}
          </ul>
        )}
      </Loading>
    </Titled>
  );
};

/** Exports the environment as a scenario file, and imports one. The server writes and reads the files. */
const Files = () => {
  const { name } = useEnvironment();
  const [relative, setRelative] = useState(false);
  const write = () =>
    attempt(async () => {
      const params = { query: { format: 'yaml' as const, relative } };
      save(String(await answer(here.GET('/scenario', { params, parseAs: 'text' }))), `${name}.yaml`);
      tell(`${name}.yaml saved.`);
    });
  const read = async (file: File): Promise<unknown> => {
    const body = { text: await file.text() };
    return act(
      `Import ${file.name}`,
      () => answer(here.PUT('/scenario', { params: { query: { file: file.name } }, body })),
      ({ from }) => `${name} was imported from ${file.name}${from === name ? '' : `, environment ${from}`}.`,
    );
  };
  return (
    <Titled className="card" id="files" title="Import and export">
      <p class="quiet">A scenario file in YAML, with what differs from what the mock derives.</p>
      <div class="cluster">
        <Buttons actions={[{ label: 'Export', choose: write }]} />
        <label class="button">
          Import
          <input
            type="file"
            class="unseen"
            accept=".yaml,.yml,.json"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              if (file) read(file);
              currentTarget.value = ''; // an empty field lets the user choose the same file again
            }}
          />
        </label>
        <label class="cluster">
          <input type="checkbox" checked={relative} onChange={() => setRelative(!relative)} />
          Times relative to now, so that the file stays fresh
        </label>
      </div>
    </Titled>
  );
};

/** Copies rows, settings and clock into a new environment, but not the counter from which ids are generated. */
const duplicate = async (env: string): Promise<void> => {
  const params = { path: { env } };
  const [state, clock] = await Promise.all([
    answer(api.GET('/environments/{env}/state', { params })),
    answer(api.GET('/environments/{env}/clock', { params })),
  ]);
  // The id, clients and tokens are not copied, because they must be unique on the server.
  const { id, clients, access_tokens, ...rows } = state as Readonly<Record<string, unknown>>;
  await makeEnvironment({ scenario: { environments: { [env]: rows } }, clock });
};

const LISTED = 60;

const Environments = () => {
  const { name: current, environments } = useEnvironment();
  const { query = '' } = useRoute().params;
  const found = environments.filter(({ name }) => hasWords(name, query));
  const remove = (env: string) =>
    attempt(async () => {
      if (!confirm(`Delete the environment ${env} and everything in it? This cannot be undone.`)) return;
      await answer(api.DELETE('/environments/{env}', { params: { path: { env } } }));
      tell(`Environment ${env} deleted.`);
      if (env === current) location.assign(addressOf({ environment: '', view: 'setup' }));
    });
  const actionsOf = ({ name }: EnvironmentDetails) => [
    { label: 'Duplicate', choose: () => attempt(() => duplicate(name)) },
    ...(environments.length > 1 ? [{ label: 'Delete', isDangerous: true, choose: () => remove(name) }] : []),
  ];
  return (
    <Titled className="card" id="environments" title={`Environments ${environments.length}`}>
      <NewEnvironment />
      {environments.length > 6 && (
        <SearchField label="Search environments" text={query} find={(text) => filter({ query: text })} />
      )}
      <ul class="plain">
        {found.slice(0, LISTED).map((each) => (
          <Line
            key={each.id}
            {...{ of: each.name, actions: actionsOf(each) }}
            title={<a href={addressOf({ environment: each.name, view: 'calls' })}>{each.name}</a>}
            text={[
              `${each.scenario} · clock ${each.clock.mode} `,
              each.name === current && <span class="tag">current</span>,
            ]}
          />
        ))}
      </ul>
      {found.length > LISTED && <p class="quiet">Search to find {found.length - LISTED} more.</p>}
    </Titled>
  );
};

const NewEnvironment = () => {
  const { scenarios = [] } = useScenarios().value ?? {};
  const make = (fields: object) =>
    makeEnvironment(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')));
  return (
    <form class="cluster" onSubmit={submitted(make)}>
      <input name="name" aria-label="Name of the new environment" placeholder="name" />
      <select name="scenario" aria-label="Scenario of the new environment">
        <option value="">the scenario of the server</option>
        {scenarios.map(({ name }) => (
          <option>{name}</option>
        ))}
      </select>
      <button type="submit">New environment</button>
    </form>
  );
};
