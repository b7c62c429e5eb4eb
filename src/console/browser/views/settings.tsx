/** The settings of the environment, as the control plane's document has them. */
import { call, within } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { useLoaded } from '../live/loaded.ts';
import { readBodySchema } from '../live/schemas.ts';
import { NEVER } from '../live/store.ts';
import { Loading } from '../parts/loading.tsx';
import { tell } from '../parts/notices.tsx';
import { SchemaForm } from '../parts/schema-form.tsx';

export const Settings = () => {
  const { name, details } = useEnvironment();
  const schema = useLoaded('', () => readBodySchema('changeSettings'), NEVER);
  return (
    <section class="view" aria-label="Settings">
      <header class="bar">
        <h1>Settings</h1>
      </header>
      <Loading from={schema}>
        {(value) => (
          <div class="card form-card">
            <SchemaForm
              schema={value}
              row={details.settings}
              first={Object.keys(value.properties ?? {})}
              action="Save settings"
              onSend={async (change) => {
                await call('PATCH', within(name, '/settings'), change);
                tell('The settings are changed.');
              }}
            />
          </div>
        )}
      </Loading>
    </section>
  );
};
