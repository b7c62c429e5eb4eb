/** The strip above the calls: what the next call gets, and which faults are armed. */
import { useState } from 'preact/hooks';
import { useEnvironment } from '../live/environment.tsx';
import { useLoaded } from '../live/loaded.tsx';
import { Buttons, ICONS, Menu } from '../parts/buttons.tsx';
import { describeFault, disarm, failuresOf, nameOperation } from '../parts/moves.ts';
import { readApi } from '../reference/document.ts';
import { go } from '../route.ts';

export const NextCall = () => {
  const { faults } = useEnvironment();
  const [operation, choose] = useState('*');
  const operations = useLoaded('', readApi).value?.operations ?? [];
  const armed = faults.filter(({ used_up }) => !used_up);
  const more = {
    label: 'more…',
    choose: () => go({ view: 'reference', part: 'addFault', params: { of: 'control' } }),
  };
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
        {operations.map(({ operationId }) => (
          <option key={operationId}>{operationId}</option>
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
