/** The ready-made faults: ways in which the next call of an operation can fail. */
import { call, within } from '../live/api.ts';
import { type Action, calling } from '../parts/buttons.tsx';
import { ICONS } from '../parts/icons.tsx';
import { Menu } from '../parts/popover.tsx';

const WAYS = [
  ['500', 'Internal error', { status: 500 }],
  ['503, then as usual', 'As during a restart', { status: 503, retry_after: 1 }],
  ['429', 'Too many requests, Retry-After: 2', { status: 429, retry_after: 2 }],
  ['401', 'As if the token had expired', { status: 401 }],
  ['Break off', 'No reply at all', { abort: true }],
  ['Broken JSON', 'Status 200, and half a body', { body: '{"connected_accounts": [' }],
  ['Wait 10 s', 'Longer than many clients wait', { delay_ms: 10_000 }],
] as const;

/** @param operation an operationId, or `*` for any operation */
export const failuresOf = (environment: string, operation: string): readonly Action[] => {
  const which = operation === '*' ? 'call' : operation;
  return WAYS.map(([label, hint, rule]) => ({
    ...calling(
      label,
      () => call('POST', within(environment, '/faults'), { operation, times: 1, ...rule }),
      `The next ${which}: ${label}.`,
    ),
    hint,
  }));
};

/** A menu that makes the next call of an operation fail in the chosen way. */
export const FailNext = (props: { readonly environment: string; readonly operation: string }) => {
  const label = `Fail the next one: ${props.operation}`;
  const items = failuresOf(props.environment, props.operation);
  return <Menu className="small" label={label} items={items} face={['Fail the next one ', ICONS.caret]} />;
};
