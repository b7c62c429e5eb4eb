/** How much of the contract the calls used: first the parts that no call used, then the parts that calls used. */
import { call, type Schemas, within } from '../live/api.ts';
import { onCall, useAnswer, useEnvironment } from '../live/environment.tsx';
import { Loading } from '../live/loaded.tsx';
import { Buttons, calling } from '../parts/actions.tsx';
import { Facts } from '../parts/cards.tsx';
import { Screen } from '../parts/screen.tsx';

type CoverageReport = Schemas['Coverage'];
type OperationReport = CoverageReport['by_operation'][number];

export const Coverage = () => {
  const { name } = useEnvironment();
  const coverage = useAnswer<CoverageReport>('/coverage?format=json', onCall);
  const clear = calling('Clear', () => call('DELETE', within(name, '/coverage')), 'Counting starts again.');
  return (
    <Screen
      title="Coverage"
      count={coverage.value && `${Math.round(coverage.value.percent)} %`}
      actions={<Buttons actions={[clear]} />}
    >
      <Loading from={coverage}>
        {(report) => (
          <>
            <Shares report={report} />
            <Missing report={report} />
            <Exercised report={report} />
          </>
        )}
      </Loading>
    </Screen>
  );
};

const Shares = ({ report }: { readonly report: CoverageReport }) => (
  <Facts
    className="shares"
    of={(['operations', 'statuses', 'parameters', 'members'] as const).map((part) => {
      const { seen, total } = report[part];
      return [part, [`${seen} of ${total}`, <meter min={0} max={total} value={seen} aria-label={part} />]];
    })}
  />
);

const PARTS = ['statuses', 'parameters', 'members'] as const;

const countMissing = (one: OperationReport): number =>
  PARTS.reduce((sum, part) => sum + one[part].missing.length, 0);

/** The unused parts, by operation. The operation with the most unused parts comes first. */
const Missing = ({ report }: { readonly report: CoverageReport }) => {
  const open = report.by_operation
    .filter((one) => countMissing(one) > 0)
    .sort((left, right) => countMissing(right) - countMissing(left));
  return (
    <section aria-labelledby="missing">
      <h2 id="missing">Not exercised yet</h2>
      {open.length === 0 && <p class="empty">Nothing: the whole contract was exercised.</p>}
      <ul class="todo card">{open.map(presentOpen)}</ul>
    </section>
  );
};

const presentOpen = (one: OperationReport) => {
  const parts = PARTS.filter((part) => one[part].missing.length > 0);
  return (
    <li key={one.operation}>
      <details>
        <summary>
          <code>{one.operation}</code>
          {one.calls === 0 && <span class="tag bad">never called</span>}
          <span>{parts.map((part) => describe(part, one[part].missing.length)).join(' · ')}</span>
        </summary>
        <Facts of={parts.map((part) => [part, one[part].missing.map(presentName)])} />
      </details>
    </li>
  );
};

const presentName = (name: string | number) => (
  <code key={name} class="tag">
    {name}
  </code>
);

const describe = (part: (typeof PARTS)[number], count: number): string =>
  `${count} ${count === 1 ? part.replace(/(?:es|s)$/, '') : part}`;

/** How often each operation and status occurred, and the names that the calls relied on, as in `used.json`. */
const Exercised = ({ report }: { readonly report: CoverageReport }) => {
  const used = useAnswer<Schemas['Used']>('/used', onCall);
  const called = report.by_operation.filter(({ calls }) => calls > 0);
  return (
    <section aria-labelledby="exercised">
      <h2 id="exercised">Exercised so far</h2>
      {called.length === 0 && <p class="empty">Nothing yet.</p>}
      <ul class="todo card">
        {called.map((one) => presentCalled(one, used.value?.operations[one.operation]))}
      </ul>
    </section>
  );
};

const presentCalled = (
  { operation, statuses }: OperationReport,
  { sends, gets }: Schemas['UsedOperation'] = { sends: [], gets: {} },
) => (
  <li key={operation}>
    <details>
      <summary>
        <code>{operation}</code>
        <span>
          {Object.entries(statuses.seen).map(([status, count]) => (
            <span key={status}>
              {' '}
              <span class={`code c${status[0]}`}>{status}</span> {count}×
            </span>
          ))}
        </span>
      </summary>
      <Facts
        of={Object.entries({ sends, ...gets }).map(([name, members]) => [name, members.map(presentName)])}
      />
    </details>
  </li>
);
