/** How the two marked calls differ, member by member, or side by side if they are calls of two operations. */
import { BASE, type Entry, isObject } from '../live/api.ts';
import { Loading, useLoaded } from '../live/loaded.tsx';
import { useStore } from '../live/store.ts';
import { Code, Json } from '../parts/code.tsx';
import { Facts, Panel } from '../parts/layout.tsx';
import { marks, readCall } from './marked.tsx';

export const Comparison = ({ close }: { readonly close: () => void }) => {
  const marked = [...useStore(marks)].slice(0, 2);
  const calls = useLoaded(marked.join(), () => Promise.all(marked.map(readCall)));
  return (
    <Panel title="Two calls" close={close}>
      <Loading from={calls}>
        {([one, other]) =>
          one && other ? <Differences one={one} other={other} /> : <p class="empty">Mark two calls.</p>
        }
      </Loading>
    </Panel>
  );
};

const Differences = ({ one, other }: { readonly one: Entry; readonly other: Entry }) => (
  <section class="comparison" aria-label="Comparison">
    {[one, other].map(({ sequence, status, operation, request }) => (
      <p key={sequence} class="summary">
        <Code status={status} /> <b>{operation ?? request.method}</b>{' '}
        <small class="quiet">call {sequence}</small> {request.url}
      </p>
    ))}
    {one.operation === other.operation
      ? presentDifferences(leavesOf(one), leavesOf(other))
      : [one, other].map(({ sequence, response }) => (
          <Json key={sequence} value={response.body} label={`Response body of call ${sequence}`} />
        ))}
  </section>
);

const flatten = (value: unknown, path: string): (readonly [string, string])[] => {
  if (!isObject(value) || Object.keys(value).length === 0)
    return value === undefined ? [] : [[path, typeof value === 'string' ? value : JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, part]) =>
    flatten(part, Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`),
  );
};

/** Matches headers that comparisons ignore, because they differ between any two calls. */
const VARYING = /headers\.(?:date|x-request-id|content-length|keep-alive|connection)$/;

const leavesOf = ({ status, request, response }: Entry): ReadonlyMap<string, string> => {
  const { pathname: path, searchParams } = new URL(request.url, BASE);
  const query = Object.fromEntries(searchParams);
  const { method, headers, body } = request;
  const leaves = { status, method, path, query, request: { headers, body }, response };
  return new Map(Object.entries(leaves).flatMap(([name, value]) => flatten(value, name)));
};

const presentDifferences = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) => {
  const names = new Set([...before.keys(), ...after.keys()]);
  const different = [...names].filter((name) => before.get(name) !== after.get(name) && !VARYING.test(name));
  if (different.length === 0) return <p class="quiet">No differences.</p>;
  const facts = different.map((name) => {
    const [old, now] = [before, after].map((leaves) => leaves.get(name) ?? '–');
    return [name, [<del>{old}</del>, ' ', <ins>{now}</ins>]] as const;
  });
  return <Facts className="differences" of={facts} />;
};
