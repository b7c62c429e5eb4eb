/** E-mails that the service would have sent, as their recipients would see them. */
import { call, type Schemas, within } from '../live/api.ts';
import { onChange, useAnswer, useEnvironment } from '../live/environment.tsx';
import { Buttons, calling } from '../parts/actions.tsx';
import { Cards, Facts } from '../parts/cards.tsx';
import { CopyButton } from '../parts/copy.tsx';
import { Screen } from '../parts/screen.tsx';
import { Time } from '../parts/time.tsx';

type Email = Schemas['Email'];

/** How many e-mails the view shows, newest first. The control plane has the others. */
const SHOWN = 100;

const EMPTY = 'No e-mails yet. Creating a membership or resending an invitation sends one.';

export const Outbox = () => {
  const { name } = useEnvironment();
  const outbox = useAnswer<{ readonly emails: readonly Email[] }>('/outbox', onChange);
  const clear = calling('Clear', () => call('DELETE', within(name, '/outbox')), 'The outbox was emptied.');
  return (
    <Screen title="Outbox" count={outbox.value?.emails.length} actions={<Buttons actions={[clear]} />}>
      <Cards from={outbox} empty={EMPTY}>
        {({ emails }) => emails.slice(-SHOWN).toReversed().map(presentEmail)}
      </Cards>
    </Screen>
  );
};

const presentEmail = ({ subject, to, kind, time, link }: Email) => (
  <li key={time + link} class="card email">
    <h2>{subject}</h2>
    <Facts
      className="headers"
      of={[
        ['From', 'Connected Accounts'],
        ['To', to],
        ['Date', [new Date(time).toUTCString(), ' (', <Time value={time} />, ')']],
      ]}
    />
    <div class="letter">
      <p>Hello,</p>
      <p>
        {kind === 'reminder' && 'a reminder: '}
        {subject.replace(/^Reminder: /, '').replace(/^Y/, 'y')}.
      </p>
      <p>
        <a
          class="button primary"
          href={link}
          target="_blank"
          rel="noopener"
          aria-label={`Accept the invitation for ${to}`}
        >
          Accept the invitation
        </a>
      </p>
      <p>
        <small>
          Or open this address: <span class="address">{link}</span>
        </small>
      </p>
    </div>
    <p class="cluster">
      <CopyButton label="Copy link" of={`of the e-mail to ${to}`} text={link} />
      <span class="tag">{kind}</span>
    </p>
  </li>
);
