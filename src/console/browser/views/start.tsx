/** The first view: three cards that act at once. */
import { useState } from 'preact/hooks';
import { type Row, textOf } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { Loading } from '../live/loaded.tsx';
import { useRows } from '../live/rows.ts';
import { CopyButton, ICONS } from '../parts/buttons.tsx';
import { toCurl } from '../parts/code.tsx';
import { Choice } from '../parts/field.tsx';
import { Facts, Screen, Titled } from '../parts/layout.tsx';
import { ReadyFaults } from './faults.tsx';
import { hasPage, openPage } from './moves.ts';

export const Start = () => {
  const { name, details } = useEnvironment();
  return (
    <Screen title={name} count={`scenario ${details.scenario}`}>
      <div class="start">
        <Connect />
        <BeTheUser />
        <Titled className="card" id="break" title="Break a call">
          <p class="quiet">The next call gets this answer, then the mock answers as usual.</p>
          <ReadyFaults />
        </Titled>
      </div>
    </Screen>
  );
};

const BASE = location.origin;

const Connect = () => {
  const { client_id = '', client_secret = '', access_token } = useEnvironment().details;
  const values = {
    'Base URL': BASE,
    'Client ID': client_id,
    'Client secret': client_secret,
    Token: access_token,
  };
  const present = (title: string, value: string | undefined) =>
    value && [<code title={value}>{value}</code>, <CopyButton of={title} text={value} />];
  const variables = [
    `CA_MOCK_URL=${BASE}`,
    `CA_MOCK_CLIENT_ID=${client_id}`,
    `CA_MOCK_CLIENT_SECRET=${client_secret}`,
    `CA_MOCK_ACCESS_TOKEN=${access_token ?? ''}`,
  ].join('\n');
  const headers = { Authorization: `Bearer ${access_token ?? 'TOKEN'}` };
  const list = toCurl({ method: 'GET', url: `${BASE}/api/v1/connected_accounts`, headers });
  return (
    <Titled className="card" id="connect" title="Connect">
      <p class="quiet">Set the base URL of your application to this one. Nothing else changes.</p>
      <Facts of={Object.entries(values).map(([title, value]) => [title, present(title, value)])} />
      <div class="cluster">
        <CopyButton label="Copy as .env" text={variables} />
        <CopyButton label="Copy a call" text={list} />
      </div>
    </Titled>
  );
};

const toOption = ({ id, connector, identifier, status }: Row) =>
  [textOf(id), [connector, identifier, status].map(textOf).join(' · ')] as const;

const BeTheUser = () => {
  const [chosen, choose] = useState('');
  const accounts = useRows('connected_accounts?page_size=100');
  return (
    <Titled className="card" id="user" title="Be the user">
      <p class="quiet">Makes an authorization link and opens its page, where you approve or deny.</p>
      <Loading from={accounts}>
        {({ rows }) => {
          const open = rows.filter(hasPage);
          const waiting = open.find(({ status }) => status !== 'ACTIVE') ?? open[0];
          const account = open.find(({ id }) => id === chosen) ?? waiting;
          if (!account) return <p>No account needs a page. Create one under Accounts.</p>;
          return (
            <>
              <Choice
                label="Account"
                value={textOf(account.id)}
                options={open.map(toOption)}
                choose={choose}
              />
              <button type="button" class="primary" onClick={() => openPage(account)}>
                Open its page {ICONS.open}
              </button>
            </>
          );
        }}
      </Loading>
    </Titled>
  );
};
