/** Setup: what to connect to, scenario, snapshots, files, settings and environments, as plain rows on one page. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { defined, parseJson } from '../../engine/core/object.ts';
import { answer, api, BASE, here, isObject, type MockSchemas, save, textOf } from './live/api.ts';
import { formatInstant } from './live/clock.ts';
import { Loading, useEnvironment, useLive, useLoaded } from './live/live.tsx';
import { type Action, act, attempt, makeEnvironment, reset, tell } from './parts/acts.ts';
import { Button, Buttons, CopyButton } from './parts/buttons.tsx';
import { toInline } from './parts/code.tsx';
import { Facts, Screen, submitted, Titled, toWords } from './parts/layout.tsx';
import { contentOf, readControl } from './reference/document.ts';
import { addressOf } from './route.ts';

export const Setup = () => (
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

/** What an application needs. */
export const Connect = ({ title }: { readonly title: string }) => {
  const { client_id, client_secret, access_token } = useEnvironment().details;
  const url = new URL('..', BASE).href.replace(/\/$/, '');
  const values = Object.entries(defined({ url, client_id, client_secret, access_token }));
  const env = values.map(([name, text]) => `CA_MOCK_${name.toUpperCase()}=${text}`).join('\n');
  const facts = values.map(
    ([name, text]) =>
      [toWords(name), [<code>{text}</code>, <CopyButton of={toWords(name)} text={text} />]] as const,
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

/** A plain row, and what can be done with it. @param name tells its buttons from the buttons of other rows */
const toLine = (name: string, text: ComponentChildren, actions: readonly Action[], title = <>{name}</>) => (
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
  const present = ({ name, description }: MockSchemas['Scenario']) =>
    toLine(name, description, [
      { label: 'Switch', choose: () => reset({ scenario: name }) },
      { label: 'New environment', choose: () => makeEnvironment({ scenario: name }) },
    ]);
  return (
    <Titled className="card" id="scenario" title="Scenario">
      <p class="cluster">
        In use: <b>{used}</b> <Button className="small" label="Reset" choose={() => reset()} />
      </p>
      <Loading from={useLoaded('', () => answer(api.GET('/scenarios', {})))}>
        {({ scenarios }) => <ul class="plain">{scenarios.map(present)}</ul>}
      </Loading>
    </Titled>
  );
};

/** Changes nothing that could be undone: a name that is taken is refused. */
const takeSnapshot = (body: { readonly name?: string }) =>
  attempt(async () => {
    await here.POST('/snapshots', { body });
    tell('Take a snapshot: done.');
  });

const presentSnapshot = ({ name, time }: MockSchemas['Snapshot']) => {
  const params = { path: { name } };
  const restore = () => here.POST('/snapshots/{name}/restore', { params });
  const remove = () => here.DELETE('/snapshots/{name}', { params });
  return toLine(name, `the clock showed ${formatInstant(Date.parse(time))}`, [
    { label: 'Restore', choose: () => act(`Restore ${name}`, restore) },
    { label: 'Delete', isDangerous: true, choose: () => act(`Delete the snapshot ${name}`, remove) },
  ]);
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
    for (const file of field.files ?? []) importFile(file);
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

/** The settings of the mock, as the document of its control plane describes them. */
const readSettings = async () => {
  const { operations } = await readControl();
  const change = operations.find(({ operationId }) => operationId === 'changeSettings');
  return Object.entries<Schema>(Object(contentOf(change?.requestBody).schema?.properties));
};

const Settings = () => {
  const present = ([name, schema]: readonly [string, Schema]) => <Setting key={name} {...{ name, schema }} />;
  return (
    <Titled className="card" id="settings" title="Settings">
      <Loading from={useLoaded('', readSettings)}>
        {(settings) => <ul class="plain">{settings.map(present)}</ul>}
      </Loading>
    </Titled>
  );
};

/** The value that a text means. The mock says what is wrong with it. */
const toValue = (text: string, { type }: Schema): unknown => {
  if (text === '') return null;
  return (type === 'boolean' || text.startsWith('{') ? parseJson(text) : text) ?? text;
};

const Setting = ({ name, schema }: { readonly name: string; readonly schema: Schema }) => {
  const field = useRef<HTMLInputElement & HTMLSelectElement>(null);
  const settings: Readonly<Record<string, unknown>> = useEnvironment().details.settings;
  const value = isObject(settings[name]) ? JSON.stringify(settings[name]) : textOf(settings[name]);
  const title = toWords(name);
  const show = (): void => {
    if (field.current) field.current.value = value;
  };
  useLayoutEffect(show, [value]);
  const onChange = async (): Promise<void> => {
    const text = field.current?.value.trim() ?? '';
    const change = () => answer(here.PATCH('/settings', { body: { [name]: toValue(text, schema) } }));
    if ((await act(`${title}: ${text || 'none'}`, change)) === undefined) show();
  };
  const control = { ref: field, name, 'aria-label': title, onChange };
  const choices = schema.type === 'boolean' ? ['true', 'false'] : schema.enum?.map(String);
  const options = choices?.map((choice) => <option>{choice}</option>);
  return (
    <li>
      <b>{title}</b>
      <small>{toInline(schema.description)}</small>
      {options ? <select {...control}>{options}</select> : <input {...control} placeholder="none" />}
    </li>
  );
};

const Environments = () => {
  const { name: current, environments } = useEnvironment();
  const remove = (env: string) =>
    attempt(async () => {
      if (!confirm(`Delete the environment ${env} and everything in it? This cannot be undone.`)) return;
      await answer(api.DELETE('/environments/{env}', { params: { path: { env } } }));
      tell(`Environment ${env} deleted.`);
      if (env === current) location.assign(addressOf({ environment: '', view: 'setup' }));
    });
  const present = ({ name, scenario, clock }: MockSchemas['Environment']) => {
    const title = <a href={addressOf({ environment: name, view: 'calls' })}>{name}</a>;
    const text = [`${scenario} · clock ${clock.mode} `, name === current && <span class="tag">current</span>];
    return toLine(name, text, [{ label: 'Delete', isDangerous: true, choose: () => remove(name) }], title);
  };
  return (
    <Titled className="card" id="environments" title={`Environments ${environments.length}`}>
      {nameForm('New environment', 'name', makeEnvironment)}
      <ul class="plain">{environments.map(present)}</ul>
    </Titled>
  );
};
