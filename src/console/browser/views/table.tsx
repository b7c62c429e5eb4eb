/** Rows as a table. A click on the first column opens the row. A small screen shows only the first two columns. */
import type { ComponentChildren } from 'preact';
import type { CallSummary } from '../live/environment.tsx';

interface TableProps<Item> {
  readonly className: string;
  readonly caption: string;
  /** What each column shows for a row, by the column's title. */
  readonly columns: Readonly<Record<string, (row: Item) => ComponentChildren>>;
  readonly rows: readonly Item[];
  readonly idOf: (row: Item) => string;
  readonly nameOf: (row: Item) => string;
  readonly chosen?: string;
  readonly open: (id: string) => void;
}

export const Table = <Item,>(props: TableProps<Item>) => {
  const { className, caption, columns, rows, idOf, nameOf, chosen, open } = props;
  return (
    <table class={className}>
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {Object.keys(columns).map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const [first, ...others] = Object.values(columns).map((present) => present(row));
          const id = idOf(row);
          return (
            <tr key={id} class={id === chosen ? 'chosen' : undefined}>
              <th scope="row">
                <button type="button" class="name" title={nameOf(row)} onClick={() => open(id)}>
                  {first}
                </button>
              </th>
              {others.map((cell, place) => (
                <td key={place}>{cell}</td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
};

export const NO_CALLS = 'No calls yet. The card Connect on Start has a call that you can try.';

export const Code = ({ status }: { readonly status: number }) => (
  <span class={`code c${Math.floor(status / 100)}`}>{status === 0 ? 'cut' : status}</span>
);

const presentStatus = ({ status, grpc_method, fault, violations, warnings }: CallSummary) => (
  <>
    <Code status={status} />
    {grpc_method !== undefined && <span class="tag">gRPC</span>}
    {fault !== undefined && (
      <span class="tag" title={fault}>
        fault
      </span>
    )}
    {violations > 0 && (
      <span class="tag bad" title="Violations of the contract">
        {violations}
        <span class="wide">&nbsp;{violations === 1 ? 'error' : 'errors'}</span>
      </span>
    )}
    {warnings > 0 && (
      <span class="tag warn" title="Parts of the call that were ignored">
        {warnings}
        <span class="wide">&nbsp;ignored</span>
      </span>
    )}
  </>
);

const presentUrl = ({ method, url }: CallSummary) => (
  <>
    <b>{method}</b>{' '}
    <span class="path">
      <bdi>{url}</bdi>
    </span>
  </>
);

const presentTime = ({ time, real_time }: CallSummary) => (
  <span class="quiet" title={`The environment's clock showed ${time}.`}>
    {real_time.slice(11, 23)}
  </span>
);

export const CALL_TABLE = {
  className: 'calls',
  idOf: ({ sequence }: CallSummary) => String(sequence),
  nameOf: ({ url }: CallSummary) => url,
  columns: {
    Call: presentUrl,
    Status: presentStatus,
    Operation: ({ operation }: CallSummary) => operation ?? <span class="quiet">–</span>,
    ms: ({ duration_ms }: CallSummary) => duration_ms.toFixed(1),
    Time: presentTime,
  },
};
