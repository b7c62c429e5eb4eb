/** A form for the environment's settings, generated from the control plane's OpenAPI schema. */
import { settings as SETTINGS } from '../../../service/settings.ts';
import { call } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { SchemaForm } from '../parts/forms.tsx';
import { Screen } from '../parts/layout.tsx';
import { tell } from '../parts/notices.ts';
import { readBodySchema } from '../reference/document.ts';
import { within } from '../route.ts';

export const Settings = () => {
  const { details } = useEnvironment();
  return (
    <Screen title="Settings">
      <div class="card form-card">
        <SchemaForm
          read={() => readBodySchema('changeSettings')}
          row={details.settings}
          defaults={{ ...SETTINGS.write(SETTINGS.defaults) }}
          action="Save settings"
          onSend={(change) => call('PATCH', within('/settings'), change)}
          onSent={() => tell('Settings saved.')}
        />
      </div>
    </Screen>
  );
};
