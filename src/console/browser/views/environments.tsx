/** All environments of the server: made, copied, found by name, and dropped. */
import { useState } from 'preact/hooks';
import { call, type Schemas, within } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { useLoaded } from '../live/loaded.ts';
import { readBodySchema } from '../live/schemas.ts';
import { NEVER } from '../live/store.ts';
import { Loading } from '../parts/loading.tsx';
import { act, tell } from '../parts/notices.tsx';
import { SchemaForm } from '../parts/schema-form.tsx';
import { SearchField } from '../parts/search.tsx';
import { addressOf, useView } from '../route.ts';

type Environment = Schemas['Environment'];

/** Cards that are drawn at once; the others are found by searching. */
const DRAWN = 60;

export const Environments = () => {
  const { environments } = useEnvironment();
  const { params, filter } = useView();
  const { query = '' } = params;
  const found = environments.filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()));
  return (
    <section class="view" aria-label="Environments">
      <header class="bar">
        <h1>
          Environments <span class="count">{environments.length}</span>
        </h1>
        <SearchField label="Search environments" text={query} find={(text) => filter({ query: text })} />
      </header>
      <NewEnvironment />
      {found.length === 0 && <p class="empty">No environment has this in its name.</p>}
      <ul class="cards">
        {found.slice(0, DRAWN).map((each) => (
          <Card key={each.id} environment={each} isLast={environments.length === 1} />
        ))}
      </ul>
      {found.length > DRAWN && <p class="quiet">{found.length - DRAWN} more: search to find them.</p>}
    </section>
  );
};

const NewEnvironment = () => {
  const schema = useLoaded('', () => readBodySchema('createEnvironment'), NEVER);
  const scenarios = useLoaded(
    '',
    () => call<{ scenarios: Schemas['Scenario'][] }>('GET', 'scenarios'),
    NEVER,
  );
  return (
    <details class="card form-card">
      <summary>New environment</summary>
      <Loading from={schema}>
        {(value) => (
          <SchemaForm
            schema={value}
            first={['name', 'scenario', 'seed', 'clock']}
            suggest={{ scenario: scenarios.value?.scenarios.map(({ name }) => name) ?? [] }}
            action="Make the environment"
            onSend={async (given) => tellMade(await call<Environment>('POST', 'environments', given))}
          />
        )}
      </Loading>
    </details>
  );
};

const tellMade = ({ name }: Environment): void => {
  tell(`The environment ${name} is made.`);
};

/** With the rows, settings and clock of now; ids are drawn anew from where its seed begins. */
const duplicate = async (name: string): Promise<Environment> => {
  const [state, clock] = await Promise.all([
    call<Record<string, unknown>>('GET', within(name, '/state')),
    call<Schemas['Clock']>('GET', within(name, '/clock')),
  ]);
  const { id, clients, access_tokens, ...rows } = state; // its own, and unique on the server
  return call('POST', 'environments', { scenario: { environments: { [name]: rows } }, clock });
};

const Card = ({ environment, isLast }: { readonly environment: Environment; readonly isLast: boolean }) => {
  const { name: current } = useEnvironment();
  const [isAsked, setAsked] = useState(false);
  const { name, scenario, clock } = environment;
  const drop = async (): Promise<void> => {
    await act(call('DELETE', within(name)), `The environment ${name} is deleted.`);
    if (name === current) location.assign(addressOf({ view: 'environments' }));
  };
  return (
    <li class="card">
      <h2>
        {name} {name === current && <span class="tag">shown</span>}
      </h2>
      <p>
        scenario {scenario} · clock {clock.mode}
      </p>
      <p class="cluster">
        <a
          class="button"
          href={addressOf({ environment: name, view: 'overview' })}
          aria-label={`Open ${name}`}
        >
          Open
        </a>
        <button
          type="button"
          aria-label={`Duplicate ${name}`}
          onClick={async () => {
            const made = await act(duplicate(name));
            if (made) tellMade(made);
          }}
        >
          Duplicate
        </button>
        <button
          type="button"
          class={isAsked ? 'bad' : ''}
          disabled={isLast}
          aria-label={isAsked ? `Delete it with all it holds: ${name}` : `Delete ${name}`}
          onClick={isAsked ? drop : () => setAsked(true)}
          onBlur={() => setAsked(false)}
        >
          {isAsked ? 'Delete it with all it holds' : 'Delete'}
        </button>
      </p>
    </li>
  );
};
