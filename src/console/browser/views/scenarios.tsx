/** Scenarios that the environment can be set to. */
import { call, type Schemas } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { useLoaded } from '../live/loaded.ts';
import { NEVER } from '../live/store.ts';
import { resetEnvironment } from '../live/undo.ts';
import { Loading } from '../parts/loading.tsx';
import { ScenarioFile } from './scenario-file.tsx';

interface Known {
  readonly scenarios: readonly Schemas['Scenario'][];
}

export const Scenarios = () => {
  const environment = useEnvironment();
  const scenarios = useLoaded('scenarios', () => call<Known>('GET', 'scenarios'), NEVER);
  return (
    <section aria-labelledby="scenarios">
      <header class="bar">
        <h2 id="scenarios">Scenarios</h2>
        <button type="button" onClick={() => resetEnvironment(environment)}>
          Reset to the start
        </button>
        <ScenarioFile />
      </header>
      <Loading from={scenarios}>
        {(known) => (
          <ul class="cards">
            {known.scenarios.map(({ name, description }) => (
              <li key={name} class="card">
                <h3>
                  {name} {name === environment.details.scenario && <span class="tag">in use</span>}
                </h3>
                <p>{description}</p>
                <button
                  type="button"
                  aria-label={`Switch to ${name}`}
                  onClick={() => resetEnvironment(environment, name)}
                >
                  Switch
                </button>
              </li>
            ))}
          </ul>
        )}
      </Loading>
    </section>
  );
};
