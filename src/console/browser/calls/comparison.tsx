/** How the two marked calls differ, member by member, or side by side if they are calls of two operations. */
import { BASE, type Entry, isObject } from '../live/api.ts';
import { Loading, useLoaded } from '../live/loaded.tsx';
import { useStore } from '../live/store.ts';
import { Code, Json } from '../parts/code.tsx';
import { Facts, Panel } from '../parts/layout.tsx';
import { marks, readCall } from './marked.tsx';

export const Comparison = ({ close }: { readonly close: () => void }) => {
  const marked = [...useStore(marks)].sort((one, other) => one - other);
  const calls = useLoaded(marked.join(), () => Promise.all(marked.slice(0, 2).map(readCall)));
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
    {[one, other].map((entry) => (
      <p key={entry.sequence} class="summary">
        <Code status={entry.status} /> <b>{entry.operation ?? entry.request.method}</b>{' '}
        <small class="quiet">call {entry.sequence}</small> {entry.request.url}
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

/** Matches paths of headers that comparisons ignore, because these headers differ between any two calls. */
const VARYING = / header\.(?:date|x-request-id|content-length|keep-alive|connection)$/;

const leavesOf = ({ status, request, response }: Entry): ReadonlyMap<string, string> => {
  const { pathname, searchParams } = new URL(request.url, BASE);
  return new Map([
    ['status', String(status)],
    ['method', request.method],
    ...flatten(Object.fromEntries(searchParams), 'query'),
    ['path', pathname],
    ...flatten(request.headers, 'request header'),
    ...flatten(request.body, 'request body'),
    ...flatten(response.headers, 'response header'),
    ...flatten(response.body, 'response body'),
  ]);
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
