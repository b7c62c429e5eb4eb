/** E-mails that the service would have sent, as their recipients would see them. */
import { call, type MockSchemas, type Row, textOf } from '../live/api.ts';
import { useList } from '../live/environment.tsx';
import { useRows } from '../live/rows.ts';
import { Buttons, CopyButton, calling } from '../parts/buttons.tsx';
import { Card, Cards, countOf, Facts, Screen, Titled } from '../parts/layout.tsx';
import { within } from '../route.ts';
import { resending } from './moves.ts';
import { Time } from './value.tsx';

type Email = MockSchemas['Email'];

/** How many e-mails the view shows, newest first. The control plane also returns older ones. */
const SHOWN = 100;

const EMPTY = 'No e-mails yet. A new membership sends one, and so does an invitation that is sent again.';

export const Outbox = () => {
  const outbox = useList<Email>('/outbox', 'change');
  const clear = calling('Clear', () => call('DELETE', within('/outbox')), 'Outbox cleared.');
  return (
    <Screen
      title="Outbox"
      count={outbox.value && countOf(Math.min(SHOWN, outbox.value.length), outbox.value.length)}
      actions={<Buttons actions={[clear]} />}
    >
      <Cards from={outbox} empty={EMPTY}>
        {(emails) => emails.slice(-SHOWN).toReversed().map(presentEmail)}
      </Cards>
      <OpenInvitations />
    </Screen>
  );
};

/** The invitations that wait for an answer. Each can be sent again. */
const OpenInvitations = () => {
  const { rows = [] } = useRows('memberships?query=PENDING_INVITE').value ?? {};
  if (rows.length === 0) return null;
  const again = (row: Row) => ({ ...resending(row), isPrimary: false });
  return (
    <Titled id="invitations" title="Open invitations">
      <ul class="cards">
        {rows.map((row) => (
          <Card
            key={row.user_id}
            title={textOf(row.email)}
            of={`to ${textOf(row.email)}`}
            actions={[again(row)]}
          >
            <p>{textOf(row.display_name)}</p>
          </Card>
        ))}
      </ul>
    </Titled>
  );
};

const presentEmail = ({ subject, to, kind, time, link }: Email) => {
  const headers = [
    ['From', 'Connected Accounts'],
    ['To', to],
    ['Date', [new Date(time).toUTCString(), ' (', <Time value={time} />, ')']],
  ] as const;
  const accept = {
    class: 'button primary',
    'aria-label': `Accept the invitation for ${to}`,
    children: 'Accept the invitation',
  };
  return (
    <li key={time + link} class="card email">
      <h2>{subject}</h2>
      <Facts className="headers" of={headers} />
      <div class="letter">
        <p>Hello,</p>
        <p>{subject}.</p>
        <p>
          <a {...accept} href={link} target="_blank" rel="noopener" />
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
};
