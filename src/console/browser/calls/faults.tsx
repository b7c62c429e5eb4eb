/** The strip above the calls: what the next call gets, and which faults are armed. */
import { useState } from 'preact/hooks';
import { useEnvironment } from '../live/environment.tsx';
import { useLoaded } from '../live/loaded.tsx';
import { Buttons, ICONS, Menu } from '../parts/buttons.tsx';
import { Panel } from '../parts/layout.tsx';
import { arm, describeFault, disarm, failuresOf, nameOperation } from '../parts/moves.ts';
import { readApi, readBodySchema } from '../reference/document.ts';
import { go } from '../route.ts';

export const useOperations = (): readonly string[] =>
  useLoaded('', readApi).value?.operations.map(({ operationId }) => operationId) ?? [];

export const NextCall = () => {
  const { faults } = useEnvironment();
  const [operation, choose] = useState('*');
  const operations = useOperations();
  const armed = faults.filter(({ used_up }) => !used_up);
  const more = { label: 'more…', choose: () => go({ view: 'calls', part: 'fault' }) };
  return (
    <section class="next-call" aria-label="Next call">
      <b>Next call to</b>
      <select
        class="small"
        aria-label="Operation of the next call"
        value={operation}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        <option value="*">any operation</option>
        {operations.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      <span>gets</span>
      <Buttons className="small" actions={[...failuresOf(operation), more]} />
      {armed.length > 0 && (
        <span class="cluster">
          armed:
          {armed.map((fault) => {
            const what = `${nameOperation(fault.operation)} ${describeFault(fault)}`;
            return (
              <button
                key={fault.id}
                type="button"
                class="tag bad"
                aria-label={`Remove the fault ${what}`}
                title={JSON.stringify(fault)}
                onClick={() => disarm(fault)}
              >
                {what} {ICONS.close}
              </button>
            );
          })}
        </span>
      )}
    </section>
  );
};

export const FailNext = ({ operation }: { readonly operation: string }) => (
  <Menu
    className="small"
    label={`Fail the next one: ${operation}`}
    items={failuresOf(operation)}
    face={['Fail the next one ', ICONS.caret]}
  />
);

const EXAMPLE = JSON.stringify({ operation: 'listConnections', status: [503, 200], times: 2 }, undefined, 2);

/** Any other fault, as JSON. The mock checks it. */
export const NewFault = ({ close }: { readonly close: () => void }) => {
  const [text, setText] = useState(EXAMPLE);
  const [problem, setProblem] = useState('');
  const members = Object.keys(useLoaded('', () => readBodySchema('addFault')).value?.properties ?? {});
  const add = (): void => {
    try {
      setProblem('');
      arm(JSON.parse(text)).then((made) => made !== undefined && close());
    } catch {
      setProblem('This is not JSON. Write { "operation": "*", "status": 500 }.');
    }
  };
  return (
    <Panel title="A fault of your own" close={close}>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <textarea
          aria-label="The fault as JSON"
          rows={8}
          value={text}
          spellcheck={false}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <small>
          Members: {members.join(', ')}. <a href="guide/stubs#let-calls-fail">The guide</a> explains them.
        </small>
        {problem !== '' && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <button type="submit" class="primary">
          Arm
        </button>
      </form>
    </Panel>
  );
};
