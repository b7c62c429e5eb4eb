/** What the journal offers for marked calls: copying them as a test of a test runner. */
import { useState } from 'preact/hooks';
import { type Runner, toTest } from '../copy-test.ts';
import { call, type MockSchemas, within } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { useLoaded } from '../live/loaded.tsx';
import { Buttons, CopyButton } from '../parts/buttons.tsx';
import { act, tell } from '../parts/notices.ts';

const RUNNERS: Readonly<Record<Runner, string>> = {
  vitest: 'Vitest',
  jest: 'Jest',
  playwright: 'Playwright',
};

interface MarkedProps {
  readonly marked: ReadonlySet<number>;
  readonly unmark: () => void;
}

export const Marked = ({ marked, unmark }: MarkedProps) => {
  const { name, details, faults } = useEnvironment();
  const [runner, choose] = useState<Runner>('vitest');
  const sequences = [...marked].sort((one, other) => one - other);
  const read = () =>
    Promise.all(
      sequences.map((each) => call<MockSchemas['Request']>('GET', within(name, `/requests/${each}`))),
    );
  // Read before the click, because browsers write to the clipboard only at once after one.
  const { value: calls } = useLoaded(sequences.join(), read);
  return (
    <div class="cluster filters">
      <span>{marked.size} marked</span>
      <select
        class="small"
        aria-label="Test runner"
        value={runner}
        onChange={({ currentTarget }) => choose(currentTarget.value as Runner)}
      >
        {Object.entries(RUNNERS).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      {calls?.length === marked.size && (
        <CopyButton label="Copy as test" text={toTest(runner, { calls, environment: details, faults })} />
      )}
      <Buttons className="small" actions={[{ label: 'Unmark', choose: unmark }]} />
    </div>
  );
};

/** Sends a recorded call once more, with the environment's access token. */
export const SendAgain = ({ entry: { request } }: { readonly entry: MockSchemas['Request'] }) => {
  const { name, details } = useEnvironment();
  const send = async (): Promise<void> => {
    const { method, url, headers, body } = request;
    const type = headers['content-type'];
    const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD';
    // With the origin in front, a path such as `//other.test/x` stays on this server.
    const response = await fetch(`${location.origin}${url}`, {
      method,
      redirect: 'manual',
      headers: {
        'X-Mock-Environment': name,
        ...(details.access_token && { Authorization: `Bearer ${details.access_token}` }),
        ...(type && { 'Content-Type': type }),
      },
      ...(hasBody && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    tell(response.type === 'opaqueredirect' ? 'Sent again.' : `Sent again: ${response.status}.`);
  };
  return <Buttons className="small" actions={[{ label: 'Send again', choose: () => act(send) }]} />;
};
