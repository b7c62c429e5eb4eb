/** What of the contract was exercised: first what is missing, as a list to work off, then how often each status came. */
import { call, type Schemas, within } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { useLoaded } from '../live/loaded.ts';
import { Loading } from '../parts/loading.tsx';
import { act } from '../parts/notices.tsx';
import { Scrolling } from '../parts/scrolling.tsx';

type Report = Schemas['Coverage'];
type OperationReport = Report['by_operation'][number];

export const Coverage = () => {
  const { name, traffic } = useEnvironment();
  const path = within(name, '/coverage');
  const coverage = useLoaded(name, () => call<Report>('GET', `${path}?format=json`), traffic);
  return (
    <section class="view" aria-label="Coverage">
      <header class="bar">
        <h1>
          Coverage <span class="count">{coverage.value && `${Math.round(coverage.value.percent)} %`}</span>
        </h1>
        <button type="button" onClick={() => act(call('DELETE', path), 'Counting starts anew.')}>
          Clear
        </button>
      </header>
      <Loading from={coverage}>
        {(report) => (
          <>
            <Shares report={report} />
            <Missing report={report} />
            <HeatMap report={report} />
          </>
        )}
      </Loading>
    </section>
  );
};

const Shares = ({ report }: { readonly report: Report }) => (
  <dl class="shares">
    {(['operations', 'statuses', 'parameters', 'members'] as const).map((part) => (
      <div key={part}>
        <dt>{part}</dt>
        <dd>
          {report[part].seen} of {report[part].total}
          <meter min={0} max={report[part].total} value={report[part].seen} aria-label={part} />
        </dd>
      </div>
    ))}
  </dl>
);

const PARTS = ['statuses', 'parameters', 'members'] as const;

const countMissing = (one: OperationReport): number =>
  PARTS.reduce((sum, part) => sum + one[part].missing.length, 0);

/** Operations with most to do first. */
const Missing = ({ report }: { readonly report: Report }) => {
  const open = report.by_operation
    .filter((one) => countMissing(one) > 0)
    .sort((left, right) => countMissing(right) - countMissing(left));
  return (
    <section aria-labelledby="missing">
      <h2 id="missing">Not exercised yet</h2>
      {open.length === 0 && <p class="empty">Nothing: the whole contract was exercised.</p>}
      <ul class="todo card">
        {open.map((one) => (
          <li key={one.operation}>
            <details>
              <summary>
                <code>{one.operation}</code>
                {one.calls === 0 && <span class="tag bad">never called</span>}
                <span>
                  {PARTS.map((part) => describe(part, one[part].missing.length))
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </summary>
              <dl class="facts">
                {PARTS.filter((part) => one[part].missing.length > 0).map((part) => (
                  <div key={part}>
                    <dt>{part}</dt>
                    <dd>
                      {one[part].missing.map((name) => (
                        <code key={name} class="tag">
                          {name}
                        </code>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
};

const describe = (part: (typeof PARTS)[number], count: number): string =>
  count === 0 ? '' : `${count} ${count === 1 ? part.replace(/(?:es|s)$/, '') : part}`;

const HeatMap = ({ report: { by_operation: operations } }: { readonly report: Report }) => {
  const statuses = [...new Set(operations.flatMap(statusesOf))].sort((left, right) => left - right);
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
                {statuses.map((status) => (
                  <Cell key={status} report={one} status={status} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
    </section>
  );
};

const statusesOf = ({ statuses: { seen, missing } }: OperationReport): number[] => [
  ...Object.keys(seen).map(Number),
  ...missing,
];

const Cell = ({ report, status }: { readonly report: OperationReport; readonly status: number }) => {
  const count = report.statuses.seen[status] ?? 0;
  if (count > 0) return <td class={`heat${heatOf(count)}`}>{count}</td>;
  return report.statuses.missing.includes(status) ? (
    <td class="missing">
      <span class="unseen">not seen</span>
    </td>
  ) : (
    <td />
  );
};

const STEPS = [1, 3, 10, 100];

/** 1 to 4. */
const heatOf = (count: number): number => STEPS.filter((step) => count >= step).length;
