/** The next call of an operation fails once, in a way chosen from a menu. */
import { call, within } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { ICONS } from '../parts/icons.tsx';
import { Menu } from '../parts/menu.tsx';
import { act } from '../parts/notices.tsx';

const WAYS = [
  ['500', 'Internal error', { status: 500 }],
  ['503, then as usual', 'As during a restart', { status: 503, retry_after: 1 }],
  ['429', 'Too many requests, Retry-After: 2', { status: 429, retry_after: 2 }],
  ['401', 'As if the token had ended', { status: 401 }],
  ['Break off', 'No answer at all', { abort: true }],
  ['Cut the body', 'The connection ends in the middle of it', { abort: 'body' }],
  ['Wait 10 s', 'Longer than many clients do', { delay_ms: 10_000 }],
] as const;

export const FailNext = ({ operation }: { readonly operation: string }) => {
  const { name } = useEnvironment();
  const fail = (label: string, rule: object): Promise<unknown> =>
    act(
      call('POST', within(name, '/faults'), { operation, times: 1, ...rule }),
      `The next ${operation}: ${label}.`,
    );
  return (
    <Menu
      className="small"
      label={`Fail the next one: ${operation}`}
      items={WAYS.map(([label, hint, rule]) => ({ label, hint, choose: () => fail(label, rule) }))}
    >
      Fail the next one {ICONS.caret}
    </Menu>
  );
};
