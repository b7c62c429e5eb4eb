/** Calls as a table, the newest on top. */
import { Component } from 'preact';
import type { CallSummary } from '../live/environment.tsx';

interface CallTableProps {
  readonly calls: readonly CallSummary[];
  /** The sequence number of the open call. */
  readonly chosen: string;
  /** Opens a call by its sequence number. */
  readonly choose: (sequence: string) => void;
  /** The title of the table. */
  readonly label: string;
}

const HEAD = { Call: undefined, Status: undefined, Operation: 'wide', ms: 'wide number', At: 'wide' };

export const CallTable = ({ calls, chosen, choose, label }: CallTableProps) => (
  <table class="calls">
    <caption class="unseen">{label}</caption>
    <thead>
      <tr>
        {Object.entries(HEAD).map(([title, width]) => (
          <th key={title} scope="col" class={width}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {calls.map((one) => (
        <CallRow key={one.sequence} call={one} isChosen={String(one.sequence) === chosen} choose={choose} />
      ))}
    </tbody>
  </table>
);

interface CallRowProps extends Pick<CallTableProps, 'choose'> {
  readonly call: CallSummary;
  readonly isChosen: boolean;
}

/**
 * A row of the table. It is drawn again only if its call changes, so that a busy journal stays fast. A memo would keep
 * all earlier drawings in memory.
 */
class CallRow extends Component<CallRowProps> {
  override shouldComponentUpdate({ call, isChosen }: CallRowProps): boolean {
    return call !== this.props.call || isChosen !== this.props.isChosen;
  }

  override render({ call: one, isChosen, choose }: CallRowProps) {
    const { method, url, status, operation, grpc_method, fault, violations } = one;
    return (
      <tr class={isChosen ? 'chosen' : undefined}>
        <th scope="row">
          <button type="button" class="name call" title={url} onClick={() => choose(String(one.sequence))}>
            <b>{method}</b>{' '}
            <span class="path">
              <bdi>{url}</bdi>
            </span>
          </button>
        </th>
        <td>
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
        </td>
        <td class="wide">{operation ?? <span class="quiet">–</span>}</td>
        <td class="wide number">{one.duration_ms.toFixed(1)}</td>
        <td class="wide quiet" title={`The environment's clock showed ${one.time}.`}>
          {one.real_time.slice(11, 23)}
        </td>
      </tr>
    );
  }
}

/** The status of a reply, coloured by its class. */
export const Code = ({ status }: { readonly status: number }) => (
  <span class={`code c${Math.floor(status / 100)}`}>{status === 0 ? 'broken off' : status}</span>
);
