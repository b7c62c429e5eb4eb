/** Setup: what to connect to, scenario, snapshots, files, settings and environments, as plain rows on one page. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { answer, api, BASE, here, isObject, type MockSchemas, save, textOf } from './live/api.ts';
import { formatInstant } from './live/clock.ts';
import { Loading, useEnvironment, useLive, useLoaded } from './live/live.tsx';
import { type Action, act, attempt, makeEnvironment, reset, tell } from './parts/acts.ts';
import { Button, Buttons, CopyButton } from './parts/buttons.tsx';
import { Facts, Screen, submitted, Titled, toWords } from './parts/layout.tsx';
import { contentOf, readControl } from './reference/document.ts';
import { toInline } from './reference/schema.tsx';
import { addressOf, useRoute } from './route.ts';

export const Setup = () => {
  const { part } = useRoute();
  useEffect(() => document.getElementById(part)?.scrollIntoView(), [part]);
  const cards = [Scenario, Snapshots, Files, Settings, Environments];
  return (
    <Screen title="Setup">
      <div class="setup">{[<Connect title="Connect" />, ...cards.map((Card) => <Card />)]}</div>
    </Screen>
  );
};

/** What an application needs. */
export const Connect = ({ title }: { readonly title: string }) => {
  const { client_id, client_secret, access_token } = useEnvironment().details;
  const values = Object.entries({
    URL: new URL('..', BASE).href.replace(/\/$/, ''),
    'Client ID': client_id,
    'Client secret': client_secret,
    'Access token': access_token,
  }).flatMap(([name, text]) => (text === undefined ? [] : { name, text }));
  const toVariable = (name: string): string => `CA_MOCK_${name.toUpperCase().replace(' ', '_')}`;
  const env = values.map(({ name, text }) => `${toVariable(name)}=${text}`).join('\n');
  const facts = values.map(
    ({ name, text }) => [name, [<code>{text}</code>, <CopyButton of={name} text={text} />]] as const,
  );
  return (
    <Titled className="card" id="connect" title={title}>
      <p class="quiet">Set the base URL of your application to this one. Nothing else changes.</p>
      <Facts of={facts} />
      <p class="cluster">
        <CopyButton label="Copy as .env" text={env} />
      </p>
    </Titled>
  );
};

/** A plain row, and what can be done with it. */
const toLine = (name: string, title: ComponentChildren, text: ComponentChildren, ...actions: Action[]) => (
  <li key={name}>
    <b>{title}</b>
    <span>{text}</span>
    <Buttons className="small" of={name} actions={actions} />
  </li>
);

/** Makes something of a name that the user may give. @param make takes the body of the call */
const nameForm = (label: string, hint: string, make: (named: { readonly name?: string }) => unknown) => (
  <form class="cluster" onSubmit={submitted(({ name }) => make(name ? { name } : {}))}>
    <input name="name" aria-label={`${label}: name`} placeholder={hint} />
    <button type="submit">{label}</button>
  </form>
);

const Scenario = () => {
  const { scenario: used } = useEnvironment().details;
  const found = useLoaded('', () => answer(api.GET('/scenarios', {})));
  const present = ({ name, description }: MockSchemas['Scenario']) => {
    const make = () => makeEnvironment({ scenario: name });
    const change = { label: 'Switch', choose: () => reset({ scenario: name }) };
    return toLine(name, name, description, change, { label: 'New environment', choose: make });
  };
  return (
    <Titled className="card" id="scenario" title="Scenario">
      <p class="cluster">
        In use: <b>{used}</b> <Button className="small" label="Reset" choose={() => reset()} />
      </p>
      <Loading from={found}>{({ scenarios }) => <ul class="plain">{scenarios.map(present)}</ul>}</Loading>
    </Titled>
  );
};

const takeSnapshot = (body: { readonly name?: string }) =>
  act(`Take a snapshot ${body.name ?? ''}`.trim(), () => here.POST('/snapshots', { body }));

const presentSnapshot = ({ name, time }: MockSchemas['Snapshot']) => {
  const params = { path: { name } };
  const restore = () => here.POST('/snapshots/{name}/restore', { params });
  const remove = () => here.DELETE('/snapshots/{name}', { params });
  const text = `the clock showed ${formatInstant(Date.parse(time))}`;
  const back = { label: 'Restore', choose: () => act(`Restore ${name}`, restore) };
  const choose = () => act(`Delete the snapshot ${name}`, remove);
  return toLine(name, name, text, back, { label: 'Delete', isDangerous: true, choose });
};

const Snapshots = () => (
  <Titled className="card" id="snapshots" title="Snapshots">
    {nameForm('Take snapshot', 'snapshot-1', takeSnapshot)}
    <Loading from={useLive('', () => answer(here.GET('/snapshots')))}>
      {({ snapshots }) => <ul class="plain">{snapshots.toReversed().map(presentSnapshot)}</ul>}
    </Loading>
  </Titled>
);

const importFile = (file: File) =>
  act(`Import ${file.name}`, async () => {
    const params = { query: { file: file.name } };
    return here.PUT('/scenario', { params, body: { text: await file.text() } });
  });

/** Exports the environment as a scenario file, and imports one. The server writes and reads the files. */
const Files = () => {
  const { name } = useEnvironment();
  const write = (relative: boolean) =>
    attempt(async () => {
      const params = { query: { format: 'yaml', relative } } as const;
      save(String(await answer(here.GET('/scenario', { params, parseAs: 'text' }))), `${name}.yaml`);
      tell(`${name}.yaml saved.`);
    });
  const take = ({ currentTarget: field }: { readonly currentTarget: HTMLInputElement }): void => {
    const [file] = field.files ?? [];
    if (file) importFile(file);
    field.value = ''; // an empty field lets the user choose the same file again
  };
  return (
    <Titled className="card" id="files" title="Import and export">
      <p class="quiet">A scenario file in YAML, with what differs from what the mock derives.</p>
      <div class="cluster">
        <Button label="Export" choose={() => write(false)} />
        <Button label="Export with times relative to now" choose={() => write(true)} />
        <label class="button">
          Import <input type="file" class="unseen" accept=".yaml,.yml,.json" onChange={take} />
        </label>
      </div>
    </Titled>
  );
};

type Schema = Readonly<{ description: string; type?: string | readonly string[]; enum?: readonly unknown[] }>;

const readSettings = async () => {
  const { operations } = await readControl();
  const change = operations.find(({ operationId }) => operationId === 'changeSettings');
  return Object.entries<Schema>(Object(contentOf(change?.requestBody).schema?.properties));
};

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
  const [title, value] = [toWords(name), toText(values[name])];
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
      <b>{title}</b>
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
  const lines = environments.slice(0, LISTED).map(({ name, scenario, clock }) => {
    const text = [`${scenario} · clock ${clock.mode} `, name === current && <span class="tag">current</span>];
    const title = <a href={addressOf({ environment: name, view: 'calls' })}>{name}</a>;
    return toLine(name, title, text, { label: 'Delete', isDangerous: true, choose: () => remove(name) });
  });
  const rest = environments.length - LISTED;
  return (
    <Titled className="card" id="environments" title={`Environments ${environments.length}`}>
      {nameForm('New environment', 'name', makeEnvironment)}
      <ul class="plain">{lines}</ul>
      {rest > 0 && <p class="quiet">Ctrl+K finds the other {rest} by name.</p>}
    </Titled>
  );
};
