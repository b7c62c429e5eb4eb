/** The view of all environments of the server. Users can create, copy, find and delete environments here. */
import { call, type MockSchemas, type Row } from '../live/api.ts';
import { type EnvironmentDetails, useEnvironment } from '../live/environment.tsx';
import { useLoaded } from '../live/loaded.tsx';
import { SchemaForm } from '../parts/forms.tsx';
import { Card, countOf, Screen, SearchField } from '../parts/layout.tsx';
import { act, tell } from '../parts/notices.ts';
import { readBodySchema } from '../reference/document.ts';
import { addressOf, useView, within } from '../route.ts';
import { readScenarios } from './snapshots.tsx';

const DRAWN = 60;

export const Environments = () => {
  const { environments } = useEnvironment();
  const { params, filter } = useView();
  const { query = '' } = params;
  const scenarios = useLoaded('', readScenarios).value ?? [];
  const found = environments.filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()));
  const find = (text: string) => filter({ query: text });
  const search = <SearchField label="Search environments" text={query} find={find} />;
  return (
    <Screen title="Environments" count={countOf(found.length, environments.length)} actions={search}>
      <details class="card form-card">
        <summary>New environment</summary>
        <SchemaForm
          read={() => readBodySchema('createEnvironment')}
          first={['name', 'scenario', 'seed', 'clock']}
          suggest={{ scenario: scenarios.map(({ name }) => name) }}
          action="Create environment"
          onSend={make}
          onSent={offer}
        />
      </details>
      {found.length === 0 && <p class="empty">No environments match.</p>}
      <ul class="cards">
        {found.slice(0, DRAWN).map((each) => (
          <EnvironmentCard key={each.id} environment={each} />
        ))}
      </ul>
      {found.length > DRAWN && <p class="quiet">Search to find {found.length - DRAWN} more.</p>}
    </Screen>
  );
};

const make = (given: Row) => call<EnvironmentDetails>('POST', 'environments', given);

const offer = ({ name }: EnvironmentDetails): void => {
  const choose = () => location.assign(addressOf({ environment: name, view: 'start' }));
  tell(`Environment ${name} created.`, { label: 'Open', choose });
};

/** Copies rows, settings and clock into a new environment, but not the counter from which ids are generated. */
const duplicate = async (name: string): Promise<void> => {
  const [state, clock] = await Promise.all([
    call<Row>('GET', within('/state', name)),
    call<MockSchemas['Clock']>('GET', within('/clock', name)),
  ]);
  // The id, clients and tokens are not copied, because they must be unique on the server.
  const { id, clients, access_tokens, ...rows } = state;
  offer(await make({ scenario: { environments: { [name]: rows } }, clock }));
};

const EnvironmentCard = ({ environment }: { readonly environment: EnvironmentDetails }) => {
  const { name: current, environments } = useEnvironment();
  const { name, scenario, clock } = environment;
  const drop = async (): Promise<void> => {
    if (!confirm(`Delete the environment ${name} and everything in it?`)) return;
    await act(() => call('DELETE', within('', name)), `Environment ${name} deleted.`);
    if (name === current) location.assign(addressOf({ environment: '', view: 'environments' }));
  };
  const actions = [
    { label: 'Duplicate', choose: () => act(() => duplicate(name)) },
    ...(environments.length > 1 ? [{ label: 'Delete', isDangerous: true, choose: drop }] : []),
  ];
  return (
    <Card title={name} tag={name === current && 'current'} actions={actions}>
      <p>
        scenario {scenario} · clock {clock.mode} ·{' '}
        <a href={addressOf({ environment: name, view: 'start' })} aria-label={`Open ${name}`}>
          Open
        </a>
      </p>
    </Card>
  );
};
