/** The view of the environment's settings. Its form follows the control plane's document. */
import { DEFAULT_SETTINGS, writeSettings } from '../../../domain/settings.ts';
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
          defaults={{ ...writeSettings(DEFAULT_SETTINGS) }}
          action="Save settings"
          onSend={async (change) => {
            await call('PATCH', within(name, '/settings'), change);
            return 'The settings were changed.';
          }}
        />
      </div>
    </Screen>
  );
};
