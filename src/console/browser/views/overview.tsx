/** The overview: the numbers of rows, the latest calls, and the calls that failed. */
import type { KindName } from '../live/api.ts';
import { onChange, useAnswer, useEnvironment } from '../live/environment.tsx';
import { Loading } from '../live/loaded.tsx';
import { useStore } from '../live/store.ts';
import { Screen } from '../parts/screen.tsx';
import { addressOf } from '../route.ts';
import { CallTable } from './call-table.tsx';
import { KINDS } from './kinds.ts';

const SHOWN = 8;

export const Overview = () => {
  const { name, calls, details } = useEnvironment();
  const counts = useAnswer<Readonly<Record<KindName, number>>>('/resources', onChange);
  const latest = useStore(calls);
  const failed = latest.filter(({ status }) => status >= 400 || status === 0);
  const open = ({ sequence }: { readonly sequence: number }): void =>
    location.assign(addressOf({ environment: name, view: 'journal', id: String(sequence) }));
  return (
    <Screen title={name} count={`scenario ${details.scenario}`}>
      <Loading from={counts}>
        {(all) => (
          <ul class="counts">
            {(Object.keys(KINDS) as KindName[]).map((kind) => (
              <li key={kind}>
                <a class="card" href={addressOf({ environment: name, view: kind })}>
                  <b>{(all[kind] ?? 0).toLocaleString('en')}</b> {KINDS[kind].title}
                </a>
              </li>
            ))}
          </ul>
        )}
      </Loading>
      {(
        [
          ['failing', 'Failing', failed, 'No call was refused.'],
          [
            'latest',
            'Latest calls',
            latest,
            'No calls yet. The page Credentials has a call that you can try.',
          ],
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
