/** How a table shows calls. */
import type { CallSummary } from '../live/environment.tsx';

export const NO_CALLS = 'No calls yet. The page Credentials has a call that you can try.';

/** The status of a reply, coloured by its class. */
export const Code = ({ status }: { readonly status: number }) => (
  <span class={`code c${Math.floor(status / 100)}`}>{status === 0 ? 'broken off' : status}</span>
);

const presentStatus = ({ status, grpc_method, fault, violations }: CallSummary) => (
  <>
    <Code status={status} />
    {grpc_method !== undefined && <span class="tag">gRPC</span>}
    {fault !== undefined && (
      <span class="tag" title={fault}>
        fault
      </span>
    )}
    {violations > 0 && (
      <span class="tag bad" title={`${violations} violated`}>
        {violations} <span class="wide">violated</span>
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
    At: presentTime,
  },
};
