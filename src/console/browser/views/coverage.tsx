/** What of the contract was exercised: operations by statuses, the warmer the more calls. */
import { call, type Schemas, within } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { useLoaded } from '../live/loaded.ts';
import { act } from '../parts/notices.tsx';
import { Scrolling } from '../parts/scrolling.tsx';

type Report = Schemas['Coverage'];
type OperationReport = Report['by_operation'][number];

export const Coverage = () => {
  const { name, traffic } = useEnvironment();
  const path = within(name, '/coverage');
  const { value: report } = useLoaded(name, () => call<Report>('GET', `${path}?format=json`), traffic);
  return (
    <section class="view" aria-label="Coverage">
      <header class="bar">
        <h1>
          Coverage <span class="count">{report && `${Math.round(report.percent)} %`}</span>
        </h1>
        <button type="button" onClick={() => act(call('DELETE', path), 'Counting starts anew.')}>
          Clear
        </button>
      </header>
      {report && <Shares report={report} />}
      {report && <HeatMap report={report} />}
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

const HeatMap = ({ report: { by_operation: operations } }: { readonly report: Report }) => {
  const statuses = [...new Set(operations.flatMap(statusesOf))].sort((left, right) => left - right);
  return (
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
