/** The settings of the environment, as the control plane's document has them. */
import { call, within } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { readBodySchema } from '../live/schemas.ts';
import { SchemaForm } from '../parts/schema-form.tsx';
import { Screen } from '../parts/screen.tsx';

export const Settings = () => {
  const { name, details } = useEnvironment();
  return (
    <Screen title="Settings">
      <div class="card form-card">
        <SchemaForm
          read={() => readBodySchema('changeSettings')}
          row={details.settings}
          action="Save settings"
          onSend={async (change) => {
            await call('PATCH', within(name, '/settings'), change);
            return 'The settings are changed.';
          }}
        />
      </div>
    </Screen>
  );
};
