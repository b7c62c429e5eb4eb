/** Setup: what to connect to, scenario, snapshots, files, settings and environments, as plain rows on one page. */
import { useEffect, useState } from 'preact/hooks';
import { answer, api, BASE, type MockSchemas, save } from './live/api.ts';
import { formatInstant } from './live/clock.ts';
import { type EnvironmentDetails, useEnvironment, useLive } from './live/environment.tsx';
import { Loading, useLoaded } from './live/loaded.tsx';
import { act, attempt, reset, tell } from './parts/acts.ts';
import { Buttons, CopyButton } from './parts/buttons.tsx';
import { toCurl } from './parts/code.tsx';
import { Facts, hasWords, Screen, SearchField, Titled } from './parts/layout.tsx';
import { makeEnvironment } from './parts/moves.ts';
import { addressOf, filter, useRoute, within } from './route.ts';
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
  const { client_id = '', client_secret = '', access_token } = useEnvironment().details;
  const url = new URL('..', BASE).href.replace(/\/$/, '');
  const values = {
    'Base URL': url,
    'Client ID': client_id,
    'Client secret': client_secret,
    Token: access_token,
  };
  const env = [
    `CA_MOCK_URL=${url}`,
    `CA_MOCK_CLIENT_ID=${client_id}`,
    `CA_MOCK_CLIENT_SECRET=${client_secret}`,
    ...(access_token === undefined ? [] : [`CA_MOCK_ACCESS_TOKEN=${access_token}`]),
  ].join('\n');
  const call = toCurl({
    ...{ method: 'GET', url: `${url}/api/v1/connected_accounts` },
    headers: { Authorization: `Bearer ${access_token ?? 'TOKEN'}` },
  });
  const present = ([title, value]: readonly [string, string | undefined]) =>
    [title, value && [<code>{value}</code>, <CopyButton of={title} text={value} />]] as const;
  return (
    <Titled
      className="card"
      id="connect"
      title={isFirst ? 'No calls yet: connect your application' : 'Connect'}
    >
      <p class="quiet">Set the base URL of your application to this one. Nothing else changes.</p>
      <Facts of={Object.entries(values).map(present)} />
      <p class="cluster">
        <CopyButton label="Copy as .env" text={env} />
        <CopyButton label="Copy a call" text={call} />
      </p>
    </Titled>
  );
};

const readScenarios = async () => (await answer(api.GET('/scenarios', {}))).scenarios;

const Scenario = () => {
  const { details } = useEnvironment();
  const scenarios = useLoaded('', readScenarios);
  return (
    <Titled className="card" id="scenario" title="Scenario">
      <p class="cluster">
        <span>
          In use: <b>{details.scenario}</b>
        </span>
        <Buttons className="small" actions={[{ label: 'Reset', choose: () => reset() }]} />
      </p>
      <Loading from={scenarios}>
        {(known) => (
          <ul class="plain">
            {known.map(({ name, description }) => (
              <li key={name}>
                <b>{name}</b>
                <span>{description}</span>
                <Buttons
                  className="small"
                  of={`to ${name}`}
                  actions={[{ label: 'Switch', choose: () => reset(name) }]}
                />
              </li>
            ))}
          </ul>
        )}
      </Loading>
    </Titled>
  );
};

const Snapshots = () => {
  const [name, setName] = useState('');
  const environment = useEnvironment().name;
  const kept = useLive('snapshots', () =>
    answer(api.GET('/environments/{env}/snapshots', { params: { path: within() } })),
  );
  const take = () =>
    act(
      'Take a snapshot',
      () =>
        answer(
          api.POST('/environments/{env}/snapshots', {
            params: { path: within() },
            body: name === '' ? {} : { name },
          }),
        ),
      (made) => `Snapshot “${made.name}” taken.`,
    );
  const actionsOf = (each: MockSchemas['Snapshot']) => {
    const params = { path: within({ name: each.name }) };
    return [
      {
        label: 'Restore',
        choose: () =>
          act(
            `Restore ${each.name}`,
            () => answer(api.POST('/environments/{env}/snapshots/{name}/restore', { params })),
            `${environment} was restored from the snapshot “${each.name}”.`,
          ),
      },
      {
        label: 'Delete',
        isDangerous: true,
        choose: () =>
          act(
            `Delete the snapshot ${each.name}`,
            () => answer(api.DELETE('/environments/{env}/snapshots/{name}', { params })),
            `Snapshot “${each.name}” deleted.`,
          ),
      },
    ];
  };
  return (
    <Titled className="card" id="snapshots" title="Snapshots">
      <form
        class="cluster"
        onSubmit={(event) => {
          event.preventDefault();
          take();
        }}
      >
        <input
          aria-label="Name of the snapshot"
          placeholder="snapshot-1"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value.trim())}
        />
        <button type="submit">Take snapshot</button>
      </form>
      <Loading from={kept}>
        {({ snapshots }) => (
          <ul class="plain">
            {snapshots.toReversed().map((each) => (
              <li key={each.name}>
                <b>{each.name}</b>
                <span>the clock showed {formatInstant(Date.parse(each.time))}</span>
                <Buttons className="small" of={each.name} actions={actionsOf(each)} />
              </li>
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
      const params = { path: within(), query: { format: 'yaml' as const, relative } };
      const text = await answer(api.GET('/environments/{env}/scenario', { params, parseAs: 'text' }));
      save(String(text), `${name}.yaml`);
      tell(`${name}.yaml saved.`);
    });
  const read = async (file: File): Promise<unknown> => {
    const text = await file.text();
    return act(
      `Import ${file.name}`,
      () =>
        answer(
          api.PUT('/environments/{env}/scenario', {
            params: { path: within(), query: { file: file.name } },
            body: { text },
          }),
        ),
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
        <label class="check">
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
          <li key={each.id}>
            <b>
              <a href={addressOf({ environment: each.name, view: 'calls' })}>{each.name}</a>
            </b>
            <span>
              {each.scenario} · clock {each.clock.mode}{' '}
              {each.name === current && <span class="tag">current</span>}
            </span>
            <Buttons className="small" of={each.name} actions={actionsOf(each)} />
          </li>
        ))}
      </ul>
      {found.length > LISTED && <p class="quiet">Search to find {found.length - LISTED} more.</p>}
    </Titled>
  );
};

const NewEnvironment = () => {
  const [name, setName] = useState('');
  const [scenario, setScenario] = useState('');
  const scenarios = useLoaded('', readScenarios).value ?? [];
  return (
    <form
      class="cluster"
      onSubmit={(event) => {
        event.preventDefault();
        makeEnvironment({ ...(name !== '' && { name }), ...(scenario !== '' && { scenario }) });
      }}
    >
      <input
        aria-label="Name of the new environment"
        placeholder="name"
        value={name}
        onInput={({ currentTarget }) => setName(currentTarget.value.trim())}
      />
      <select
        aria-label="Scenario of the new environment"
        value={scenario}
        onChange={({ currentTarget }) => setScenario(currentTarget.value)}
      >
        <option value="">the scenario of the server</option>
        {scenarios.map((each) => (
          <option key={each.name}>{each.name}</option>
        ))}
      </select>
      <button type="submit">New environment</button>
    </form>
  );
};
