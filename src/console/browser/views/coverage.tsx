/** How much of the contract was exercised: first the parts that no call used, then how often each status came. */
import { call, type Schemas, within } from '../live/api.ts';
import { onCall, useAnswer, useEnvironment } from '../live/environment.tsx';
import { Loading } from '../live/loaded.tsx';
import { Buttons, calling } from '../parts/actions.tsx';
import { Facts } from '../parts/cards.tsx';
import { Scrolling } from '../parts/json.tsx';
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
            <HeatMap report={report} />
            <Used />
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

/** Operations with most to do first. */
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

/** How often each status came. */
const HeatMap = ({ report: { by_operation: operations } }: { readonly report: CoverageReport }) => {
  const all = operations.flatMap(({ statuses: { seen, missing } }) => [
    ...Object.keys(seen).map(Number),
    ...missing,
  ]);
  const statuses = [...new Set(all)].sort((left, right) => left - right);
  return (
    <section aria-labelledby="seen">
      <h2 id="seen">Seen</h2>
      <Scrolling className="scroll" label="Calls by operation and status">
        <table class="heat">
          <caption class="unseen">Calls by operation and status</caption>
          <thead>
            <tr>
              <th scope="col">Operation</th>
              {statuses.map((status) => (
                <th scope="col" key={status}>
                  {status}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {operations.map((one) => (
              <tr key={one.operation}>
                <th scope="row" title={`${one.method.toUpperCase()} ${one.path}`}>
                  {one.operation}
                </th>
                {statuses.map((status) => presentCount(one, status))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
    </section>
  );
};

/** What the calls so far relied on, as `used.json` holds it. */
const Used = () => {
  const used = useAnswer<Schemas['Used']>('/used', onCall);
  return (
    <section aria-labelledby="used">
      <h2 id="used">Used by the calls so far</h2>
      <Loading from={used}>
        {({ operations }) => (
          <ul class="todo card">
            {Object.keys(operations).length === 0 && <li class="quiet">Nothing yet.</li>}
            {Object.entries(operations).map(presentUsed)}
          </ul>
        )}
      </Loading>
    </section>
  );
};

const presentUsed = ([operation, { sends, gets }]: [string, Schemas['UsedOperation']]) => (
  <li key={operation}>
    <details>
      <summary>
        <code>{operation}</code>
        <span>{Object.keys(gets).join(', ')}</span>
      </summary>
      <Facts
        of={[
          ['sends', sends.map(presentName)] as const,
          ...Object.entries(gets).map(([code, names]) => [code, names.map(presentName)] as const),
        ]}
      />
    </details>
  </li>
);

const STEPS = [1, 3, 10, 100];

/** Warmer the more there were. */
const presentCount = ({ statuses: { seen, missing } }: OperationReport, status: number) => {
  const count = seen[status] ?? 0;
  if (missing.includes(status))
    return (
      <td key={status} class="missing">
        <span class="unseen">not seen</span>
      </td>
    );
  return (
    <td key={status} class={`heat${STEPS.filter((step) => count >= step).length}`}>
      {count > 0 && count}
    </td>
  );
};
