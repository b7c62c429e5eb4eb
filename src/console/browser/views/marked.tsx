/** What the journal offers for marked calls: copying them as a test of a test runner. */
import { settings as SETTINGS } from '../../../service/settings.ts';
import { type LinkDecision, type Runner, toTest } from '../copy-test.ts';
import { call, type MockSchemas, type ResourcePage, type Row, readList, textOf } from '../live/api.ts';
import { type EnvironmentDetails, useEnvironment, useLive } from '../live/environment.tsx';
import { Buttons, CopyButton } from '../parts/buttons.tsx';
import { toWords } from '../parts/layout.tsx';
import { within } from '../route.ts';

const RUNNERS: readonly Runner[] = ['vitest', 'jest', 'playwright'];

interface MarkedProps {
  readonly marked: ReadonlySet<number>;
  readonly unmark: () => void;
}

export const Marked = ({ marked, unmark }: MarkedProps) => {
  const { details, environments, faults } = useEnvironment();
  const sequences = [...marked].sort((one, other) => one - other);
  // Read before the click, because browsers write to the clipboard only at once after one.
  const { value } = useLive(sequences.join(), () => readMarked(sequences), 'change');
  const options = optionsOf(details, environments);
  return (
    <div class="cluster filters">
      <span>{marked.size} marked</span>
      {value?.calls.length === marked.size &&
        RUNNERS.map((runner) => {
          const text = toTest(runner, { ...value, environment: details, faults, options });
          return <CopyButton key={runner} label={`Copy as test for ${toWords(runner)}`} text={text} />;
        })}
      <Buttons className="small" actions={[{ label: 'Unmark', choose: unmark }]} />
    </div>
  );
};

/** What an environment needs besides its scenario to be like this one: changed settings, and what it copies. */
const optionsOf = (
  { name, from = name, settings }: EnvironmentDetails,
  [first]: readonly EnvironmentDetails[],
) => {
  const usual: Row = { ...SETTINGS.write(SETTINGS.defaults) };
  const changed = Object.entries(settings).filter(
    ([member, value]) => JSON.stringify(value) !== JSON.stringify(usual[member]),
  );
  return {
    ...(from !== first?.name && { from }),
    ...(changed.length > 0 && { settings: Object.fromEntries(changed) }),
  };
};

const readMarked = async (sequences: readonly number[]) => {
  const calls = await Promise.all(
    sequences.map((each) => call<MockSchemas['Request']>('GET', within(`/requests/${each}`))),
  );
  const tokens = calls.flatMap(({ response }) => textOf(Object(response.body).link).split('/').slice(-1));
  return { calls, decisions: await readDecisions(tokens.filter(Boolean)) };
};

/** What users decided on these links. A link tells when, and the event of that time tells what. */
const readDecisions = async (tokens: readonly string[]): Promise<readonly LinkDecision[]> => {
  if (tokens.length === 0) return [];
  const events = await readList<MockSchemas['Event']>(within('/events'));
  const links = await Promise.all(
    tokens.map((query) => call<ResourcePage>('GET', within(`/resources/authorization_links?query=${query}`))),
  );
  return links.flatMap(({ rows: [link = {}] }, place) => {
    const { used_at: time, connected_account_id: id, auth_request_id } = link;
    const event = events.find(
      (each) =>
        /^authorization_link.(?:approved|denied)$/.test(each.type) &&
        each.time === time &&
        each.resource.connected_account_id === id,
    );
    if (!event) return [];
    return {
      token: tokens[place] ?? '',
      choice: event.type.endsWith('approved') ? 'approve' : 'deny',
      time: event.time,
      ...(auth_request_id !== undefined && { auth_request_id: textOf(auth_request_id) }),
    };
  });
};
