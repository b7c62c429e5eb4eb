/** Scenarios that the environment can be set to. */
import { call, type Schemas, within } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { useLoaded } from '../live/loaded.ts';
import { NEVER } from '../live/store.ts';
import { act } from '../parts/notices.tsx';

interface Known {
  readonly scenarios: readonly Schemas['Scenario'][];
}

export const Scenarios = () => {
  const { name: environment, details } = useEnvironment();
  const { value } = useLoaded('scenarios', () => call<Known>('GET', 'scenarios'), NEVER);
  const start = (scenario?: string): Promise<object> =>
    call('POST', within(environment, '/reset'), scenario === undefined ? {} : { scenario });
  return (
    <section aria-labelledby="scenarios">
      <header class="bar">
        <h2 id="scenarios">Scenarios</h2>
        <button type="button" onClick={() => act(start(), `${environment} is at its start again.`)}>
          Reset to the start
        </button>
      </header>
      <ul class="cards">
        {value?.scenarios.map(({ name, description }) => (
          <li key={name} class="card">
            <h3>
              {name} {name === details.scenario && <span class="tag">in use</span>}
            </h3>
            <p>{description}</p>
            <button
              type="button"
              aria-label={`Switch to ${name}`}
              onClick={() => act(start(name), `${environment} now holds ${name}.`)}
            >
              Switch
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
};
