/** The overview: the numbers of rows, the calls that failed, and the latest calls. */
import type { KindName } from '../live/api.ts';
import { useAnswer, useEnvironment } from '../live/environment.tsx';
import { Loading } from '../live/loaded.tsx';
import { useStore } from '../live/store.ts';
import { Screen, Titled } from '../parts/layout.tsx';
import { addressOf } from '../route.ts';
import { KINDS } from './kinds.ts';
import { CALL_TABLE, NO_CALLS, Table } from './table.tsx';

const SHOWN = 8;

export const Overview = () => {
  const { name, calls, details } = useEnvironment();
  const counts = useAnswer<Readonly<Record<KindName, number>>>('/resources', 'change');
  const latest = useStore(calls);
  const failed = latest.filter(({ status }) => status >= 400 || status === 0);
  const lists = [
    ['failed', 'Failed calls', failed, 'No call has failed.'],
    ['latest', 'Latest calls', latest, NO_CALLS],
  ] as const;
  const open = (id: string) => location.assign(addressOf({ environment: name, view: 'journal', id }));
  return (
    <Screen title={name} count={`scenario ${details.scenario}`}>
      <Loading from={counts}>
        {(all) => (
          <ul class="counts">
            {(Object.keys(KINDS) as KindName[]).map((kind) => (
              <li key={kind}>
                <a class="card" href={addressOf({ environment: name, view: kind })}>
                  <b>{all[kind].toLocaleString('en')}</b> {KINDS[kind].title}
                </a>
              </li>
            ))}
          </ul>
        )}
      </Loading>
      {lists.map(([id, title, listed, none]) => (
        <Titled key={id} id={id} title={[title, ' ', <span class="count">{listed.length}</span>]}>
          {listed.length === 0 ? (
            <p class="quiet">{none}</p>
          ) : (
            <Table {...CALL_TABLE} caption={title} rows={listed.slice(0, SHOWN)} open={open} />
          )}
        </Titled>
      ))}
    </Screen>
  );
};
