/** E-mails that the service would have sent, with their links. */
import { call, type Schemas, within } from '../live/api.ts';
import { useAnswer, useEnvironment } from '../live/environment.tsx';
import { Loading } from '../live/loaded.tsx';
import { CopyButton } from '../parts/copy.tsx';
import { ICONS } from '../parts/icons.tsx';
import { act } from '../parts/notices.tsx';
import { Screen } from '../parts/screen.tsx';
import { Time } from '../parts/time.tsx';

/** The latest; the others are in the outbox too. */
const SHOWN = 100;

export const Outbox = () => {
  const { name, changes } = useEnvironment();
  const outbox = useAnswer<{ readonly emails: readonly Schemas['Email'][] }>('/outbox', changes);
  const clear = (): Promise<unknown> => act(call('DELETE', within(name, '/outbox')), 'The outbox is empty.');
  return (
    <Screen
      title="Outbox"
      count={outbox.value?.emails.length}
      actions={
        <button type="button" onClick={clear}>
          Clear
        </button>
      }
    >
      <Loading from={outbox}>
        {({ emails }) =>
          emails.length === 0 ? (
            <p class="empty">No e-mails yet. Creating a membership or resending an invitation sends one.</p>
          ) : (
            <ul class="cards">{emails.slice(-SHOWN).toReversed().map(presentEmail)}</ul>
          )
        }
      </Loading>
    </Screen>
  );
};

const presentEmail = ({ subject, to, kind, time, link }: Schemas['Email']) => (
  <li key={time + link} class="card email">
    <dl class="headers">
      <div>
        <dt>From</dt>
        <dd>Connected Accounts</dd>
      </div>
      <div>
        <dt>To</dt>
        <dd>{to}</dd>
      </div>
      <div>
        <dt>Subject</dt>
        <dd>
          <b>{subject}</b>
        </dd>
      </div>
      <div>
        <dt>Date</dt>
        <dd>
          {new Date(time).toUTCString()} (<Time value={time} />)
        </dd>
      </div>
    </dl>
    <p class="cluster">
      <a class="button primary" href={link} target="_blank" rel="noopener">
        Open link {ICONS.open}
      </a>
      <CopyButton label="Copy link" text={link} />
      <span class="tag">{kind}</span>
    </p>
  </li>
);
