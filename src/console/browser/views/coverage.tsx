/** How much of the contract the calls used: first the parts that no call used, then the parts that calls used. */
import type { ComponentChildren } from 'preact';
import { call, type Schemas, within } from '../live/api.ts';
import { useAnswer, useEnvironment } from '../live/environment.tsx';
import { Loading } from '../live/loaded.tsx';
import { Buttons, calling } from '../parts/buttons.tsx';
import { Facts, Screen, Titled } from '../parts/layout.tsx';
import { Code } from './call-table.tsx';

type CoverageReport = Schemas['Coverage'];
type OperationReport = CoverageReport['by_operation'][number];

export const Coverage = () => {
  const { name } = useEnvironment();
  const coverage = useAnswer<CoverageReport>('/coverage?format=json', 'request');
  // The names that the calls relied on, as in `used.json`.
  const used = useAnswer<Schemas['Used']>('/used', 'request').value;
  const clear = calling('Clear', () => call('DELETE', within(name, '/coverage')), 'Counting starts again.');
  const percent = coverage.value && `${Math.round(coverage.value.percent)} %`;
  return (
    <Screen title="Coverage" count={percent} actions={<Buttons actions={[clear]} />}>
      <Loading from={coverage}>
        {(report) => (
          <>
            <Facts
              className="shares"
              of={['operations' as const, ...PARTS].map((part) => presentShare(part, report[part]))}
            />
            <Operations
              id="missing"
              title="Not exercised yet"
              none="Nothing: the whole contract was exercised."
              of={report.by_operation.filter(countMissing).sort((a, b) => countMissing(b) - countMissing(a))}
              present={presentMissing}
            />
            <Operations
              id="exercised"
              title="Exercised so far"
              none="Nothing yet."
              of={report.by_operation.filter(({ calls }) => calls > 0)}
              present={(one) => presentUsed(one, used?.operations[one.operation])}
            />
          </>
        )}
      </Loading>
    </Screen>
  );
};

const PARTS = ['statuses', 'parameters', 'members'] as const;

const presentShare = (part: string, { seen, total }: { readonly seen: number; readonly total: number }) =>
  [part, [`${seen} of ${total}`, <meter min={0} max={total} value={seen} aria-label={part} />]] as const;

const countMissing = (one: OperationReport): number =>
  PARTS.reduce((sum, part) => sum + one[part].missing.length, 0);

interface OperationsProps {
  readonly id: string;
  readonly title: string;
  /** The text to show if there are no operations. */
  readonly none: string;
  readonly of: readonly OperationReport[];
  /** A summary of the operation, and the names of its parts. */
  readonly present: (one: OperationReport) => Presented;
}

type Presented = readonly [
  summary: ComponentChildren,
  parts: readonly (readonly [part: string, names: readonly (string | number)[]])[],
];

const Operations = ({ id, title, none, of, present }: OperationsProps) => (
  <Titled id={id} title={title}>
    {of.length === 0 && <p class="empty">{none}</p>}
    <ul class="todo card">
      {of.map((one) => {
        const [summary, parts] = present(one);
        return (
          <li key={one.operation}>
            <details>
              <summary>
                <code>{one.operation}</code>
                {summary}
              </summary>
              <Facts of={parts.map(([part, names]) => [part, names.map(presentName)])} />
            </details>
          </li>
        );
      })}
    </ul>
  </Titled>
);

const presentName = (name: string | number) => (
  <code key={name} class="tag">
    {name}
  </code>
);

const presentMissing = (one: OperationReport): Presented => {
  const parts = PARTS.map((part) => [part, one[part].missing] as const).filter(
    ([, names]) => names.length > 0,
  );
  const counts = parts.map(
    ([part, { length }]) => `${length} ${length === 1 ? part.replace(/(?:es|s)$/, '') : part}`,
  );
  const never = one.calls === 0 && <span class="tag bad">never called</span>;
  return [[never, <span>{counts.join(' · ')}</span>], parts];
};

const presentUsed = (
  { statuses }: OperationReport,
  { sends, gets }: Schemas['UsedOperation'] = { sends: [], gets: {} },
): Presented => {
  const counts = Object.entries(statuses.seen).map(([status, count]) => (
    <span key={status}>
      {' '}
      <Code status={Number(status)} /> {count}×
    </span>
  ));
  return [<span>{counts}</span>, Object.entries({ sends, ...gets })];
};
