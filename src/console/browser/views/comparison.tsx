/** How two calls of the journal differ: one is pinned, the other is open. */
import { flatten } from '../copy-values.ts';
import type { MockSchemas } from '../live/api.ts';
import { createStore, useStore } from '../live/store.ts';
import { Buttons } from '../parts/buttons.tsx';
import { Json } from '../parts/code.tsx';
import { COVERS, Facts } from '../parts/layout.tsx';
import { tell } from '../parts/notices.ts';
import { Code } from './table.tsx';

type Entry = MockSchemas['Request'];

const pinned = createStore<Entry | undefined>(undefined);

export const PinButton = ({ entry, close }: { readonly entry: Entry; readonly close: () => void }) => {
  const isOn = useStore(pinned) === entry;
  const label = isOn ? 'Pinned: open another call to compare' : 'Compare';
  const choose = () => {
    pinned.set(isOn ? undefined : entry);
    // The panel would cover the list in which the user chooses the other call.
    if (isOn || !matchMedia(COVERS).matches) return;
    close();
    tell('Open the call to compare with.');
  };
  return <Buttons className="small" actions={[{ label, isOn, choose }]} />;
};

/** Matches paths of headers that comparisons ignore, because these headers differ between any two calls. */
const VARYING = / header\.(?:date|x-request-id|content-length|keep-alive|connection)$/;

const leavesOf = ({ status, request, response }: Entry): ReadonlyMap<string, string> => {
  const { pathname, searchParams } = new URL(request.url, location.origin);
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

const presentBoth = (calls: readonly Entry[]) => (
  <div class="pair">
    {calls.map(({ sequence, operation, status, request, response }) => (
      <div key={sequence}>
        <p>
          <Code status={status} /> <b>{operation ?? 'unknown path'}</b>{' '}
          <small class="quiet">call {sequence}</small>
        </p>
        <p class="address">
          {request.method} {request.url}
        </p>
        {Object.entries({ Request: request, Response: response }).map(
          ([name, { body }]) =>
            body !== undefined && <Json key={name} value={body} label={`${name} body of call ${sequence}`} />,
        )}
      </div>
    ))}
  </div>
);

const presentDifferences = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) => {
  const names = new Set([...before.keys(), ...after.keys()]);
  const different = [...names].filter((name) => before.get(name) !== after.get(name) && !VARYING.test(name));
  if (different.length === 0) return <p class="quiet">No differences.</p>;
  const facts = different.map((name) => {
    const [old, now] = [before, after].map((leaves) => leaves.get(name) ?? '–');
    return [name, [<del>{old}</del>, ' ', <ins>{now}</ins>]] as const;
  });
  return <Facts className="" of={facts} />;
};

/** Calls of different operations stand side by side: a list of their differences would list all that they hold. */
export const Comparison = ({ entry }: { readonly entry: Entry }) => {
  const other = useStore(pinned);
  if (!other || other.sequence === entry.sequence) return null;
  const isSame = other.operation === entry.operation;
  return (
    <section class="card comparison" aria-labelledby="comparison">
      <header class="bar">
        <h3 id="comparison">
          {isSame ? `Compared with call ${other.sequence} ${other.operation ?? ''}` : 'Side by side'}
        </h3>
        <Buttons className="small" actions={[{ label: 'Unpin', choose: () => pinned.set(undefined) }]} />
      </header>
      {isSame ? presentDifferences(leavesOf(other), leavesOf(entry)) : presentBoth([other, entry])}
    </section>
  );
};
