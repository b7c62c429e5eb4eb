/** E-mails that the service would have sent, with their links. */
import { call, type Schemas, within } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { useLoaded } from '../live/loaded.ts';
import { CopyButton } from '../parts/copy.tsx';
import { ICONS } from '../parts/icons.tsx';
import { Loading } from '../parts/loading.tsx';
import { act } from '../parts/notices.tsx';
import { Time } from '../parts/time.tsx';

interface Outgoing {
  readonly emails: readonly Schemas['Email'][];
}

export const Outbox = () => {
  const { name, changes } = useEnvironment();
  const outbox = useLoaded(name, () => call<Outgoing>('GET', within(name, '/outbox')), changes);
  return (
    <section class="view" aria-label="Outbox">
      <header class="bar">
        <h1>
          Outbox <span class="count">{outbox.value?.emails.length}</span>
        </h1>
        <button
          type="button"
          onClick={() => act(call('DELETE', within(name, '/outbox')), 'The outbox is empty.')}
        >
          Clear
        </button>
      </header>
      <Loading from={outbox}>
        {({ emails }) => <Emails emails={emails.toReversed().slice(0, SHOWN)} />}
      </Loading>
    </section>
  );
};

/** The latest; the others are in the outbox too. */
const SHOWN = 100;

const Emails = ({ emails }: Outgoing) =>
  emails.length === 0 ? (
    <p class="empty">No e-mails yet. Creating a membership or resending an invitation sends one.</p>
  ) : (
    <ul class="cards">
      {emails.map((email) => (
        <li key={email.time + email.link} class="card">
          <h2>{email.subject}</h2>
          <p>
            To <b>{email.to}</b> · <span class="tag">{email.kind}</span> · <Time value={email.time} />
          </p>
          <p class="cluster">
            <a class="button" href={email.link} target="_blank" rel="noopener">
              Open link {ICONS.open}
            </a>
            <CopyButton label="Copy link" text={email.link} />
          </p>
        </li>
      ))}
    </ul>
  );
