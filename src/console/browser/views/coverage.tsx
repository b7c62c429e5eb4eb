/** The view of coverage: which statuses, parameters and members of each operation calls have not used. */
import { call, type MockSchemas } from '../live/api.ts';
import { useAnswer } from '../live/environment.tsx';
import { Loading } from '../live/loaded.tsx';
import { Buttons, calling } from '../parts/buttons.tsx';
import { Facts, Screen } from '../parts/layout.tsx';
import { within } from '../route.ts';
import { Code } from './table.tsx';

type CoverageReport = MockSchemas['Coverage'];
type OperationReport = CoverageReport['by_operation'][number];

export const Coverage = () => {
  const coverage = useAnswer<CoverageReport>('/coverage?format=json', 'request');
  const clear = calling('Clear', () => call('DELETE', within('/coverage')), 'Coverage cleared.');
  const percent = coverage.value && `${Math.round(coverage.value.percent)}%`;
  return (
    <Screen title="Coverage" count={percent} actions={<Buttons actions={[clear]} />}>
      <Loading from={coverage}>
        {(report) => (
          <>
            <Facts className="shares" of={SHARES.map((part) => presentShare(part, report[part]))} />
            <ul class="todo card" aria-label="Operations">
              {byMissing(report).map(presentOperation)}
            </ul>
          </>
        )}
      </Loading>
    </Screen>
  );
};

const PARTS = ['statuses', 'parameters', 'members'] as const;
const SHARES = ['operations', ...PARTS] as const;

const presentShare = (part: string, { seen, total }: { readonly seen: number; readonly total: number }) =>
  [part, [`${seen} of ${total}`, <meter min={0} max={total} value={seen} aria-label={part} />]] as const;

const byMissing = ({ by_operation }: CoverageReport) =>
  by_operation.toSorted((left, right) => countMissing(right) - countMissing(left));

const countMissing = (one: OperationReport): number =>
  PARTS.reduce((sum, part) => sum + one[part].missing.length, 0);

/** What calls of an operation have not used yet. */
const presentOperation = (one: OperationReport) => {
  const { operation, calls, statuses } = one;
  const parts = PARTS.map((part) => [`Missing ${part}`, one[part].missing] as const);
  const seen = Object.entries(statuses.seen).map(([status, count]) => (
    <span key={status}>
      <Code status={Number(status)} /> {count}×
    </span>
  ));
  return (
    <li key={operation}>
      <details>
        <summary>
          <code>{operation}</code>
          {calls === 0 ? <span class="tag bad">never called</span> : seen}
          <span>{countMissing(one)} missing</span>
        </summary>
        <Facts
          of={parts
            .filter(([, names]) => names.length > 0)
            .map(([part, names]) => [part, names.map((name) => <code class="tag">{name}</code>)])}
        />
      </details>
    </li>
  );
};
