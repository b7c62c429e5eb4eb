/** Setup: what to connect to, scenario, snapshots, files, settings and environments, as plain rows on one page. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { settings as SETTINGS } from '../../service/settings.ts';
import { answer, api, BASE, here, isObject, type MockSchemas, save, textOf } from './live/api.ts';
import { formatInstant } from './live/clock.ts';
import { Loading, useEnvironment, useLive, useLoaded } from './live/live.tsx';
import { act, attempt, reset, tell } from './parts/acts.ts';
import { type Action, Buttons, CopyButton } from './parts/buttons.tsx';
import { Facts, Screen, submitted, Titled, toWords } from './parts/layout.tsx';
import { makeEnvironment } from './parts/moves.ts';
import { contentOf, readControl } from './reference/document.ts';
import { toInline } from './reference/schema.tsx';
import { addressOf, useRoute } from './route.ts';

export const Setup = () => {
  const { part } = useRoute();
  useEffect(() => document.getElementById(part)?.scrollIntoView(), [part]);
  return (
    <Screen title="Setup">
      <div class="setup">
        <Connect title="Connect" />
        <Scenario />
        <Snapshots />
        <Files />
        <Settings />
        <Environments />
      </div>
    </Screen>
  );
};

/** What an application needs. */
export const Connect = ({ title }: { readonly title: string }) => {
  const { client_id, client_secret, access_token } = useEnvironment().details;
  const url = new URL('..', BASE).href.replace(/\/$/, '');
  const values = [
    ['Base URL', 'CA_MOCK_URL', url],
    ['Client ID', 'CA_MOCK_CLIENT_ID', client_id],
    ['Client secret', 'CA_MOCK_CLIENT_SECRET', client_secret],
    ['Token', 'CA_MOCK_ACCESS_TOKEN', access_token],
  ].filter(([, , value]) => value !== undefined) as [string, string, string][];
  return (
    <Titled className="card" id="connect" title={title}>
      <p class="quiet">Set the base URL of your application to this one. Nothing else changes.</p>
      <Facts
        of={values.map(([name, , value]) => [
          name,
          [<code>{value}</code>, <CopyButton of={name} text={value} />],
        ])}
      />
      <p class="cluster">
        <CopyButton
          label="Copy as .env"
          text={values.map(([, name, value]) => `${name}=${value}`).join('\n')}
        />
      </p>
    </Titled>
  );
};

interface Line {
  readonly name: string;
  readonly title?: ComponentChildren;
  readonly text: ComponentChildren;
  readonly actions: readonly Action[];
}

const Lines = ({ lines }: { readonly lines: readonly Line[] }) => (
  <ul class="plain">
    {lines.map(({ name, title = name, text, actions }) => (
      <li key={name}>
        <b>{title}</b>
        <span>{text}</span>
        <Buttons className="small" of={name} actions={actions} />
      </li>
    ))}
  </ul>
);

const Scenario = () => {
  const { scenario: used } = useEnvironment().details;
  const found = useLoaded('', () => answer(api.GET('/scenarios', {})));
  const lineOf = ({ name, description: text }: MockSchemas['Scenario']): Line => ({
    ...{ name, text },
    actions: [
      { label: 'Switch', choose: () => reset(name) },
      { label: 'New environment', choose: () => makeEnvironment({ scenario: name }) },
    ],
  });
  return (
    <Titled className="card" id="scenario" title="Scenario">
      <p class="cluster">
        <span>
          In use: <b>{used}</b>
        </span>
        <Buttons className="small" actions={[{ label: 'Reset', choose: () => reset() }]} />
      </p>
      <Loading from={found}>{({ scenarios }) => <Lines lines={scenarios.map(lineOf)} />}</Loading>
    </Titled>
  );
};

const take = ({ name }: { readonly name?: string }) =>
  act(
    'Take a snapshot',
    () => answer(here.POST('/snapshots', { body: name ? { name } : {} })),
    (taken) => `Snapshot “${taken.name}” taken.`,
  );

const actionsOfSnapshot = (name: string): readonly Action[] => {
  const params = { path: { name } };
  const restore = () => here.POST('/snapshots/{name}/restore', { params });
  const remove = () => here.DELETE('/snapshots/{name}', { params });
  return [
    { label: 'Restore', choose: () => act(`Restore ${name}`, restore, `${name} was restored.`) },
    { label: 'Delete', isDangerous: true, choose: () => act(`Delete the snapshot ${name}`, remove) },
  ];
};

const Snapshots = () => (
  <Titled className="card" id="snapshots" title="Snapshots">
    <form class="cluster" onSubmit={submitted(take)}>
      <input name="name" aria-label="Name of the snapshot" placeholder="snapshot-1" />
      <button type="submit">Take snapshot</button>
    </form>
    <Loading from={useLive('', () => answer(here.GET('/snapshots')))}>
      {({ snapshots }) => (
        <Lines
          lines={snapshots.toReversed().map(({ name, time }) => ({
            ...{ name, text: `the clock showed ${formatInstant(Date.parse(time))}` },
            actions: actionsOfSnapshot(name),
          }))}
        />
      )}
    </Loading>
  </Titled>
);

const readScenarioFile = (file: File) =>
  act(
    `Import ${file.name}`,
    async () => {
      const sent = { params: { query: { file: file.name } }, body: { text: await file.text() } };
      return answer(here.PUT('/scenario', sent));
    },
    ({ from }) => `The environment ${from} of ${file.name} was imported.`,
  );

/** Exports the environment as a scenario file, and imports one. The server writes and reads the files. */
const Files = () => {
  const { name } = useEnvironment();
  const [relative, setRelative] = useState(false);
  const params = { query: { format: 'yaml', relative } } as const;
  const write = () =>
    attempt(async () => {
      save(String(await answer(here.GET('/scenario', { params, parseAs: 'text' }))), `${name}.yaml`);
      tell(`${name}.yaml saved.`);
    });
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
              if (file) readScenarioFile(file);
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

interface Schema {
  readonly description: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
}

const USUAL: Readonly<Record<string, unknown>> = { ...SETTINGS.write(SETTINGS.defaults) };

const readSettings = async () => {
  const { operations } = await readControl();
  const change = operations.find(({ operationId }) => operationId === 'changeSettings');
  return Object.entries<Schema>(Object(contentOf(change?.requestBody).schema?.properties));
};

/** The settings, as fields that say where they differ from the usual. */
const Settings = () => (
  <Titled className="card" id="settings" title="Settings">
    <Loading from={useLoaded('', readSettings)}>
      {(settings) => (
        <ul class="plain">
          {settings.map(([name, schema]) => (
            <Setting key={name} {...{ name, schema }} />
          ))}
        </ul>
      )}
    </Loading>
  </Titled>
);

const toText = (value: unknown): string => (isObject(value) ? JSON.stringify(value) : textOf(value));

const toValue = (text: string, { type }: Schema): unknown => {
  if (text === '') return null;
  try {
    return type === 'boolean' || text.startsWith('{') ? JSON.parse(text) : text;
  } catch {
    return text; // the mock says what is wrong
  }
};

const Setting = ({ name, schema }: { readonly name: string; readonly schema: Schema }) => {
  const field = useRef<HTMLInputElement & HTMLSelectElement>(null);
  const values: Readonly<Record<string, unknown>> = useEnvironment().details.settings;
  const [title, usual, value] = [toWords(name), toText(USUAL[name]), toText(values[name])];
  const choices = schema.type === 'boolean' ? ['true', 'false'] : schema.enum?.map(String);
  const show = (): void => {
    if (field.current) field.current.value = value;
  };
  useEffect(show, [value]);
  const change = async (): Promise<void> => {
    const text = field.current?.value.trim() ?? '';
    const body = { [name]: toValue(text, schema) };
    const label = `${title}: ${text || 'none'}`;
    if ((await act(label, () => answer(here.PATCH('/settings', { body })))) === undefined) show();
  };
  const control = { ref: field, name, 'aria-label': title, onChange: change };
  return (
    <li>
      <b>
        {title} {value !== usual && <small title={`The default is ${usual || 'none'}`}>changed</small>}
      </b>
      <small>{toInline(schema.description)}</small>
      {choices ? (
        <select {...control}>
          {choices.map((choice) => (
            <option selected={choice === value}>{choice}</option>
          ))}
        </select>
      ) : (
        <input {...control} defaultValue={value} placeholder="none" />
      )}
    </li>
  );
};

const LISTED = 60;

const Environments = () => {
  const { name: current, environments } = useEnvironment();
  const remove = (env: string) =>
    attempt(async () => {
      if (!confirm(`Delete the environment ${env} and everything in it? This cannot be undone.`)) return;
      await answer(api.DELETE('/environments/{env}', { params: { path: { env } } }));
      tell(`Environment ${env} deleted.`);
      if (env === current) location.assign(addressOf({ environment: '', view: 'setup' }));
    });
  const lines = environments.slice(0, LISTED).map(({ name, scenario, clock }) => ({
    name,
    title: <a href={addressOf({ environment: name, view: 'calls' })}>{name}</a>,
    text: [`${scenario} · clock ${clock.mode} `, name === current && <span class="tag">current</span>],
    actions: [{ label: 'Delete', isDangerous: true, choose: () => remove(name) }],
  }));
  return (
    <Titled className="card" id="environments" title={`Environments ${environments.length}`}>
      <form class="cluster" onSubmit={submitted(({ name }) => makeEnvironment(name ? { name } : {}))}>
        <input name="name" aria-label="Name of the new environment" placeholder="name" />
        <button type="submit">New environment</button>
      </form>
      <Lines lines={lines} />
      {environments.length > LISTED && (
        <p class="quiet">Ctrl+K finds the other {environments.length - LISTED} by name.</p>
      )}
    </Titled>
  );
};
