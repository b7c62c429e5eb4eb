/** The strip above the calls: what the next call gets, and which faults are armed. */
import { useState } from 'preact/hooks';
import { useEnvironment, useLoaded } from '../live/live.tsx';
import { Buttons, ICONS, Menu } from '../parts/buttons.tsx';
import { disarm, failuresOf, nameFault, nameOperation } from '../parts/moves.ts';
import { readApi } from '../reference/document.ts';
import { addressOf } from '../route.ts';

export const NextCall = () => {
  const [operation, choose] = useState('*');
  const operations = useLoaded('', readApi).value?.operations ?? [];
  const armed = useEnvironment().faults.filter(({ used_up }) => !used_up);
  const removals = armed.map((fault) => ({
    ...{ label: `Remove the fault ${nameFault(fault)}`, hint: JSON.stringify(fault) },
    face: [nameFault(fault), ' ', ICONS.close],
    choose: () => disarm(fault),
  }));
  return (
    <section class="next-call" aria-label="Next call">
      <b>Next call to</b>
      <select
        class="small"
        aria-label="Operation of the next call"
        value={operation}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        {['*', ...operations.map(({ operationId }) => operationId)].map((each) => (
          <option key={each} value={each}>
            {nameOperation(each)}
          </option>
        ))}
      </select>
      <span>gets</span>
      <Buttons className="small" actions={failuresOf(operation)} />
      <a href={addressOf({ view: 'reference', part: 'addFault', params: { of: 'control' } })}>more…</a>
      {armed.length > 0 && (
        <span class="cluster">
          armed: <Buttons className="tag bad" actions={removals} />
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
