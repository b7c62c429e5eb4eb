/** Why a call was refused: its violations or the rule it broke, and where to see a call that works. */
import { type Schemas, send } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { useLoaded } from '../live/loaded.tsx';
import { once } from '../live/schemas.ts';
import { RuleLink } from '../reference/prose.tsx';
import { addressOf } from '../route.ts';

type Entry = Schemas['Request'];

/** The rules by number. The build extracts them from the guide. */
const readRules = once<Readonly<Record<string, string>>>(async () =>
  (await send('GET', 'guide/rules.json')).json(),
);

export const Why = ({ entry }: { readonly entry: Entry }) => {
  const { name } = useEnvironment();
  const { reason, rule, violations, fault, operation, status } = entry;
  return (
    <section class="why card" aria-labelledby="why">
      <h3 id="why">Why {status === 0 ? 'it was broken off' : status}</h3>
      {fault !== undefined && (
        <p>
          The fault <code>{fault}</code> decided this call.{' '}
          <a href={addressOf({ environment: name, view: 'faults' })}>Faults</a>
        </p>
      )}
      {fault === undefined && violations.length === 0 && <p>{reason}</p>}
      {violations.length > 0 && (
        <ul class="violations" aria-label="Violated">
          {violations.map(({ field, constraint, description }) => (
            <li key={field + constraint}>
              <code>{field || 'body'}</code> <span class="tag bad">{constraint}</span> {description}
            </li>
          ))}
        </ul>
      )}
      {violations.length === 0 && rule !== undefined && <Rule rule={rule} />}
      {operation !== undefined && (
        <p>
          <a href={`docs${addressOf({ environment: name, view: operation })}`} target="_blank" rel="noopener">
            {operation} with example values
          </a>
        </p>
      )}
    </section>
  );
};

const Rule = ({ rule }: { readonly rule: string }) => {
  const words = useLoaded('', readRules).value?.[rule];
  return (
    <p>
      <RuleLink rule={rule} /> {words}
    </p>
  );
};
