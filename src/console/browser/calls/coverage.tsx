/** What calls have used of the contract so far, and what they have not. */
import { answer, here, type MockSchemas } from '../live/api.ts';
import { useLive } from '../live/loaded.tsx';
import { act } from '../parts/acts.ts';
import { Buttons } from '../parts/buttons.tsx';
import { Code } from '../parts/code.tsx';
import { Facts, Titled } from '../parts/layout.tsx';

const useCoverage = () => {
  const params = { query: { format: 'json' } } as const;
  // The cast is safe: without `min` the answer is JSON.
  const read = () => answer(here.GET('/coverage', { params })) as Promise<MockSchemas['Coverage']>;
  return useLive('', read, 'request').value;
};

const SHARES = ['operations', 'statuses', 'parameters', 'members'] as const;

export const Coverage = () => {
  const coverage = useCoverage();
  const clear = () => act('Clear the coverage', () => answer(here.DELETE('/coverage')), 'Coverage cleared.');
  if (!coverage) return null;
  const shares = SHARES.map((part) => {
    const { seen, total } = coverage[part];
    const meter = <meter min={0} max={total} value={seen} aria-label={part} />;
    return [part, [`${seen} of ${total} `, meter]] as const;
  });
  return (
    <Titled id="coverage" title={`Coverage ${Math.round(coverage.percent)}%`}>
      <Facts of={shares} />
      <p>
        <Buttons className="small" actions={[{ label: 'Clear coverage', choose: clear }]} />
      </p>
    </Titled>
  );
};

/** What a list of operations says of each: by its id, in a few words. */
export const useSeen = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    useCoverage()?.by_operation.map(({ operation, calls, statuses }) => {
      const seen = Object.keys(statuses.seen).length;
      const all = seen + statuses.missing.length;
      return [operation, calls === 0 ? 'never called' : `${seen} of ${all} statuses`];
    }) ?? [],
  );

/** The statuses of an operation's calls, and what no call of it has used. */
export const Seen = ({ operation }: { readonly operation: string }) => {
  const report = useCoverage()?.by_operation.find((one) => one.operation === operation);
  if (!report) return null;
  const missing = (['statuses', 'parameters', 'members'] as const).map((part) => {
    const names = report[part].missing.map((name) => <code class="tag">{name}</code>);
    return [`Missing ${part}`, names.length > 0 ? names : ''] as const;
  });
  return (
    <div class="seen">
      <p class="cluster">
        {report.calls === 0 ? <span class="tag bad">never called</span> : `Seen in ${report.calls} calls:`}
        {Object.entries(report.statuses.seen).map(([status, count]) => (
          <span key={status}>
            <Code status={Number(status)} /> {count}
          </span>
        ))}
      </p>
      <details>
        <summary>What no call has used</summary>
        <Facts of={missing} />
      </details>
    </div>
  );
};
