/** E-mails that the service would have sent, as a mailbox shows them. */
import { call, type Schemas, within } from '../live/api.ts';
import { useAnswer, useEnvironment } from '../live/environment.tsx';
import { Buttons, calling } from '../parts/actions.tsx';
import { Cards, Facts } from '../parts/cards.tsx';
import { CopyButton } from '../parts/copy.tsx';
import { ICONS } from '../parts/icons.tsx';
import { Screen } from '../parts/screen.tsx';
import { Time } from '../parts/time.tsx';

/** The latest; the others are in the outbox too. */
const SHOWN = 100;

const EMPTY = 'No e-mails yet. Creating a membership or resending an invitation sends one.';

export const Outbox = () => {
  const { name, changes } = useEnvironment();
  const outbox = useAnswer<{ readonly emails: readonly Schemas['Email'][] }>('/outbox', changes);
  const clear = calling('Clear', () => call('DELETE', within(name, '/outbox')), 'The outbox is empty.');
  return (
    <Screen title="Outbox" count={outbox.value?.emails.length} actions={<Buttons actions={[clear]} />}>
      <Cards from={outbox} empty={EMPTY}>
        {({ emails }) => emails.slice(-SHOWN).toReversed().map(presentEmail)}
      </Cards>
    </Screen>
  );
};

const presentEmail = ({ subject, to, kind, time, link }: Schemas['Email']) => (
  <li key={time + link} class="card email">
    <Facts
      className="headers"
      of={[
        ['From', 'Connected Accounts'],
        ['To', to],
        ['Subject', <b>{subject}</b>],
        ['Date', [new Date(time).toUTCString(), ' (', <Time value={time} />, ')']],
      ]}
    />
    <p class="cluster">
      <a class="button primary" href={link} target="_blank" rel="noopener">
        Open link {ICONS.open}
      </a>
      <CopyButton label="Copy link" text={link} />
      <span class="tag">{kind}</span>
    </p>
  </li>
);
