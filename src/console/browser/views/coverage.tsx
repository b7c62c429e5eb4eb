/** The view of coverage: statuses, parameters and members that no call has used, then those that calls have used. */
import type { ComponentChildren } from 'preact';
import { call, type MockSchemas } from '../live/api.ts';
import { useAnswer } from '../live/environment.tsx';
import { Loading } from '../live/loaded.tsx';
import { Buttons, calling } from '../parts/buttons.tsx';
import { Facts, Screen, Titled } from '../parts/layout.tsx';
import { within } from '../route.ts';
import { Code } from './table.tsx';

type CoverageReport = MockSchemas['Coverage'];
type OperationReport = CoverageReport['by_operation'][number];

export const Coverage = () => {
  const coverage = useAnswer<CoverageReport>('/coverage?format=json', 'request');
  // The parameters and members that calls have sent or received, by operation.
  const used = useAnswer<MockSchemas['Used']>('/used', 'request').value;
  const clear = calling('Clear', () => call('DELETE', within('/coverage')), 'Coverage cleared.');
  const percent = coverage.value && `${Math.round(coverage.value.percent)}%`;
  return (
    <Screen title="Coverage" count={percent} actions={<Buttons actions={[clear]} />}>
      <Loading from={coverage}>
        {(report) => (
          <>
            <Facts className="shares" of={SHARES.map((part) => presentShare(part, report[part]))} />
            <Titled id="missing" title="Not exercised yet">
              {withMissing(report).length === 0 && (
                <p class="empty">Nothing. The whole contract has been exercised.</p>
              )}
              <ul class="todo card">{withMissing(report).map(presentMissing)}</ul>
            </Titled>
            <Titled id="exercised" title="Exercised so far">
              {called(report).length === 0 && <p class="empty">Nothing yet.</p>}
              <ul class="todo card">
                {called(report).map((one) => presentUsed(one, used?.operations[one.operation]))}
              </ul>
            </Titled>
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

const withMissing = ({ by_operation }: CoverageReport) =>
  by_operation.filter(countMissing).sort((left, right) => countMissing(right) - countMissing(left));

const called = ({ by_operation }: CoverageReport) => by_operation.filter(({ calls }) => calls > 0);

const countMissing = (one: OperationReport): number =>
  PARTS.reduce((sum, part) => sum + one[part].missing.length, 0);

type Parts = readonly (readonly [part: string, names: readonly (string | number)[]])[];

const presentOperation = (operation: string, summary: ComponentChildren, parts: Parts) => (
  <li key={operation}>
    <details>
      <summary>
        <code>{operation}</code>
        {summary}
      </summary>
      <Facts
        of={parts.map(([part, names]) => [part, names.map((name) => <code class="tag">{name}</code>)])}
      />
    </details>
  </li>
);

const presentMissing = (one: OperationReport) => {
  const parts = PARTS.map((part) => [part, one[part].missing] as const).filter(
    ([, names]) => names.length > 0,
  );
  const counts = parts.map(
    ([part, { length }]) => `${length} ${length === 1 ? part.replace(/(?:es|s)$/, '') : part}`,
  );
  const never = one.calls === 0 && <span class="tag bad">never called</span>;
  return presentOperation(one.operation, [never, <span>{counts.join(' · ')}</span>], parts);
};

const presentUsed = (
  { operation, statuses }: OperationReport,
  { sends, gets }: MockSchemas['UsedOperation'] = { sends: [], gets: {} },
) => {
  const counts = Object.entries(statuses.seen).map(([status, count]) => (
    <span key={status}>
      {' '}
      <Code status={Number(status)} /> {count}×
    </span>
  ));
  return presentOperation(operation, <span>{counts}</span>, Object.entries({ sends, ...gets }));
};
