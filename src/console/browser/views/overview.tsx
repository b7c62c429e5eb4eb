/** The overview: the numbers of rows, the calls that failed, and the latest calls. */
import type { KindName } from '../live/api.ts';
import { type CallSummary, useAnswer, useEnvironment } from '../live/environment.tsx';
import { Loading } from '../live/loaded.tsx';
import { useStore } from '../live/store.ts';
import { Screen, Titled } from '../parts/layout.tsx';
import { Table } from '../parts/table.tsx';
import { addressOf } from '../route.ts';
import { CALL_TABLE, NO_CALLS } from './call-table.tsx';
import { KINDS } from './kinds.ts';

const SHOWN = 8;

export const Overview = () => {
  const { name, calls, details } = useEnvironment();
  const counts = useAnswer<Readonly<Record<KindName, number>>>('/resources', 'change');
  const latest = useStore(calls);
  const failed = latest.filter(({ status }) => status >= 400 || status === 0);
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
      <Calls id="failing" title="Failing" calls={failed} none="No call was refused." />
      <Calls id="latest" title="Latest calls" calls={latest} none={NO_CALLS} />
    </Screen>
  );
};

interface CallsProps {
  readonly id: string;
  readonly title: string;
  readonly calls: readonly CallSummary[];
  readonly none: string;
}

const Calls = ({ id, title, calls, none }: CallsProps) => {
  const { name: environment } = useEnvironment();
  const open = (sequence: string): void =>
    location.assign(addressOf({ environment, view: 'journal', id: sequence }));
  return (
    <Titled id={id} title={[title, ' ', <span class="count">{calls.length}</span>]}>
      {calls.length === 0 ? (
        <p class="quiet">{none}</p>
      ) : (
        <Table {...CALL_TABLE} caption={title} rows={calls.slice(0, SHOWN)} open={open} />
      )}
    </Titled>
  );
};
