/** What the environment holds, what happened last, and what is failing. */
import { call, type Schemas, within } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { Loading, useLoaded } from '../live/loaded.tsx';
import { useStore } from '../live/store.ts';
import { Screen } from '../parts/screen.tsx';
import { addressOf } from '../route.ts';
import { CallTable } from './call-table.tsx';
import { KINDS } from './kinds.tsx';

type KindName = Schemas['ResourceKind'];

const SHOWN = 8;

const countRows = async (environment: string): Promise<readonly (readonly [KindName, number])[]> =>
  Promise.all(
    (Object.keys(KINDS) as KindName[]).map(async (kind) => {
      const path = within(environment, `/resources/${kind}?page_size=1`);
      return [kind, (await call<Schemas['ResourcePage']>('GET', path)).total_size] as const;
    }),
  );

export const Overview = () => {
  const { name, calls, activity, details } = useEnvironment();
  const counts = useLoaded(name, () => countRows(name), activity);
  const latest = useStore(calls);
  const failed = latest.filter(({ status }) => status >= 400 || status === 0);
  const open = ({ sequence }: { readonly sequence: number }): void =>
    location.assign(addressOf({ environment: name, view: 'journal', id: String(sequence) }));
  return (
    <Screen title={name} count={`scenario ${details.scenario}`}>
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
          ['failing', 'Failing', failed, 'No call was refused.'],
          ['latest', 'Latest calls', latest, 'No calls yet. Credentials has one to try.'],
        ] as const
      ).map(([id, title, some, none]) => (
        <section key={id} aria-labelledby={id}>
          <h2 id={id}>
            {title} <span class="count">{some.length}</span>
          </h2>
          {some.length === 0 ? (
            <p class="quiet">{none}</p>
          ) : (
            <CallTable calls={some.slice(0, SHOWN)} chosen="" choose={open} label={title} />
          )}
        </section>
      ))}
    </Screen>
  );
};
