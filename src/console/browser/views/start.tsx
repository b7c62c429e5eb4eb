/** The first view: four cards that act at once, and below them what no call has tested, and the latest calls. */
import { useState } from 'preact/hooks';
import { type MockSchemas, type Row, textOf } from '../live/api.ts';
import { useAnswer, useEnvironment } from '../live/environment.tsx';
import { Loading } from '../live/loaded.tsx';
import { useRows } from '../live/rows.ts';
import { useStore } from '../live/store.ts';
import { CopyButton, ICONS } from '../parts/buttons.tsx';
import { toCurl } from '../parts/code.tsx';
import { Choice } from '../parts/field.tsx';
import { Facts, Screen, Titled } from '../parts/layout.tsx';
import { addressOf } from '../route.ts';
import { ReadyFaults } from './faults.tsx';
import { hasPage, openPage } from './moves.ts';
import { Ruler } from './ruler.tsx';
import { CALL_TABLE, NO_CALLS, Table } from './table.tsx';

const SHOWN = 8;

export const Start = () => {
  const { name, calls, details } = useEnvironment();
  const latest = useStore(calls);
  const open = (id: string) => location.assign(addressOf({ view: 'journal', id }));
  return (
    <Screen title={name} count={`scenario ${details.scenario}`}>
      <div class="start">
        <Connect />
        <BeTheUser />
        <Titled className="card" id="break" title="Break a call">
          <p class="quiet">The next call gets this answer, then the mock answers as usual.</p>
          <ReadyFaults />
        </Titled>
        <Titled className="card wide" id="travel" title="Travel in time">
          <p class="quiet">Click or drag: the clock goes there, and what ends until then ends.</p>
          <Ruler />
        </Titled>
      </div>
      <Untested />
      <Titled id="latest" title="Latest calls">
        {latest.length === 0 ? (
          <p class="quiet">{NO_CALLS}</p>
        ) : (
          <Table {...CALL_TABLE} caption="Latest calls" rows={latest.slice(0, SHOWN)} open={open} />
        )}
      </Titled>
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

const Untested = () => {
  const coverage = useAnswer<MockSchemas['Coverage']>('/coverage?format=json', 'request').value;
  const untested = coverage?.by_operation.filter(({ calls }) => calls === 0) ?? [];
  if (!coverage || untested.length === 0) return null;
  return (
    <Titled id="untested" title="Never called">
      <p class="quiet">
        {untested.length} of {coverage.by_operation.length} operations.{' '}
        <a href={addressOf({ view: 'coverage' })}>View coverage</a>
      </p>
      <div class="cluster">
        {untested.map(({ operation }) => (
          <a key={operation} class="tag" href={`docs${addressOf({ view: operation })}`}>
            {operation}
          </a>
        ))}
      </div>
    </Titled>
  );
};
