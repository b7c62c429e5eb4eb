/** Shows what was read. Where it cannot be had, says so and offers to try again; what was read before stays below. */
import type { ComponentChildren } from 'preact';
import { CallError } from '../live/api.ts';
import type { Loaded } from '../live/loaded.ts';

export const Loading = <Value,>({
  from: { value, problem, read },
  children,
}: {
  readonly from: Loaded<Value>;
  readonly children: (value: Value) => ComponentChildren;
}) => (
  <>
    {problem !== undefined && (
      <div class="problem" role="alert">
        <p>
          {problem.message} {problem instanceof CallError && problem.hint}
        </p>
        <button type="button" class="small" onClick={read}>
          Try again
        </button>
      </div>
    )}
    {value !== undefined && children(value)}
  </>
);
