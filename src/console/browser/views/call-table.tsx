/** Calls as a table, the newest on top. */
import { Component } from 'preact';
import type { CallSummary } from '../live/environment.tsx';

interface CallTableProps {
  readonly calls: readonly CallSummary[];
  /** The sequence number of the open call. */
  readonly chosen: string;
  readonly choose: (call: CallSummary) => void;
  /** The title of the table. */
  readonly label?: string;
}

export const CallTable = ({ calls, chosen, choose, label = 'Calls, newest first' }: CallTableProps) => (
  <table class="calls">
    <caption class="unseen">{label}</caption>
    <thead>
      <tr>
        <th scope="col">Call</th>
        <th scope="col">Status</th>
        <th scope="col" class="wide">
          Operation
        </th>
        <th scope="col" class="wide number">
          ms
        </th>
        <th scope="col" class="wide">
          At
        </th>
      </tr>
    </thead>
    <tbody>
      {calls.map((one) => (
        <CallRow key={one.sequence} call={one} isChosen={String(one.sequence) === chosen} choose={choose} />
      ))}
    </tbody>
  </table>
);

interface CallRowProps {
  readonly call: CallSummary;
  readonly isChosen: boolean;
  readonly choose: (call: CallSummary) => void;
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
    return (
      <tr class={isChosen ? 'chosen' : undefined}>
        <th scope="row">
          <button type="button" class="name call" title={one.url} onClick={() => choose(one)}>
            <b>{one.method}</b>{' '}
            <span class="path">
              <bdi>{one.url}</bdi>
            </span>
          </button>
        </th>
        <td>
          <span class={`code c${Math.floor(one.status / 100)}`}>
            {one.status === 0 ? 'broken off' : one.status}
          </span>
          {one.grpc_method !== undefined && <span class="tag">gRPC</span>}
          {one.fault !== undefined && (
            <span class="tag" title={one.fault}>
              fault
            </span>
          )}
          {one.violations > 0 && (
            <span class="tag bad" title={`${one.violations} violated`}>
              {one.violations} <span class="wide">violated</span>
            </span>
          )}
        </td>
        <td class="wide">{one.operation ?? <span class="quiet">–</span>}</td>
        <td class="wide number">{one.duration_ms.toFixed(1)}</td>
        <td class="wide quiet" title={`The environment's clock showed ${one.time}.`}>
          {one.real_time.slice(11, 23)}
        </td>
      </tr>
    );
  }
}
