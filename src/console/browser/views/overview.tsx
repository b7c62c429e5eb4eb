/** What the environment holds, what happened last, and what is failing. */

import { useMemo } from 'preact/hooks';
import { call, type Schemas, within } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { useLoaded } from '../live/loaded.ts';
import { either, useStore } from '../live/store.ts';
import { Loading } from '../parts/loading.tsx';
import { addressOf } from '../route.ts';
import { CallTable } from './call-table.tsx';
import { KINDS } from './kinds.tsx';

type Kind = Schemas['ResourceKind'];

const SHOWN = 8;

const countRows = async (environment: string): Promise<readonly (readonly [Kind, number])[]> =>
  Promise.all(
    (Object.keys(KINDS) as Kind[]).map(async (kind) => {
      const path = within(environment, `/resources/${kind}?page_size=1`);
      return [kind, (await call<Schemas['ResourcePage']>('GET', path)).total_size] as const;
    }),
  );

export const Overview = () => {
  const { name, calls, changes, traffic, details } = useEnvironment();
  const activity = useMemo(() => either(changes, traffic), [changes, traffic]);
  const counts = useLoaded(name, () => countRows(name), activity);
  const latest = useStore(calls.latest);
  const failed = latest.filter(({ status }) => status >= 400 || status === 0);
  const open = ({ sequence }: { readonly sequence: number }): void =>
    location.assign(addressOf({ environment: name, view: 'journal', id: String(sequence) }));
  return (
    <section class="view" aria-label="Overview">
      <header class="bar">
        <h1>
          {name} <span class="count">scenario {details.scenario}</span>
        </h1>
      </header>
      <Loading from={counts}>
        {(all) => (
          <ul class="counts">
            {all.map(([kind, count]) => (
              <li key={kind}>
                <a class="card" href={addressOf({ environment: name, view: kind })}>
                  <b>{count.toLocaleString('en')}</b> {KINDS[kind].title}
                </a>
              </li>
            ))}
          </ul>
        )}
      </Loading>
      {(
        [
          ['Failing', failed, 'No call was refused.'],
          ['Latest calls', latest, 'No calls yet. Credentials has one to try.'],
        ] as const
      ).map(([title, some, none]) => (
        <section key={title} class="list" aria-labelledby={title}>
          <h2 id={title}>
            {title} <span class="count">{some.length}</span>
          </h2>
          {some.length === 0 ? (
            <p class="quiet">{none}</p>
          ) : (
            <CallTable calls={some.slice(0, SHOWN)} chosen="" choose={open} label={title} />
          )}
        </section>
      ))}
    </section>
  );
};
