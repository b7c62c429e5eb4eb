/** What a client of this environment is set up with, ready to paste. */
import { useState } from 'preact/hooks';
import { useEnvironment } from '../live/environment.tsx';
import { CopyButton } from '../parts/copy.tsx';
import { Json } from '../parts/json.tsx';
import { SNIPPETS } from './snippets.ts';

export const Credentials = () => {
  const { details } = useEnvironment();
  const [chosen, choose] = useState<string>('curl');
  const values = [
    ['Base URL', location.origin],
    ['Environment', details.id],
    ['Client id', details.client_id],
    ['Client secret', details.client_secret],
    ['Access token', details.access_token],
  ] as const;
  const write = SNIPPETS[chosen];
  const snippet = write?.(location.origin, details) ?? '';
  return (
    <section class="view" aria-label="Credentials">
      <header class="bar">
        <h1>Credentials</h1>
      </header>
      <dl class="card facts">
        {values.map(
          ([title, value]) =>
            value !== undefined && (
              <div key={title}>
                <dt>{title}</dt>
                <dd>
                  <code>{value}</code> <CopyButton label={`Copy ${title.toLowerCase()}`} text={value} />
                </dd>
              </div>
            ),
        )}
      </dl>
      <header class="bar">
        <fieldset class="choice">
          <legend>Ready to paste</legend>
          {Object.keys(SNIPPETS).map((name) => (
            <label key={name}>
              <input type="radio" name="snippet" checked={name === chosen} onChange={() => choose(name)} />
              {name}
            </label>
          ))}
        </fieldset>
        <CopyButton label="Copy snippet" text={snippet} />
      </header>
      <Json value={snippet} label="Snippet" />
    </section>
  );
};
