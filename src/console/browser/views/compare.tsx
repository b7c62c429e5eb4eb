/** Compares two calls: the user pins a call and opens another, and the page shows the differences. */
import type { Schemas } from '../live/api.ts';
import { createStore, useStore } from '../live/store.ts';
import { Buttons } from '../parts/buttons.tsx';
import { Facts } from '../parts/layout.tsx';

type Entry = Schemas['Request'];

const pinned = createStore<Entry | undefined>(undefined);

export const PinButton = ({ entry }: { readonly entry: Entry }) => {
  const isOn = useStore(pinned) === entry;
  const label = isOn ? 'Pinned: open another call' : 'Compare';
  const choose = () => pinned.set(isOn ? undefined : entry);
  return <Buttons className="small" actions={[{ label, isOn, choose }]} />;
};

/** All values inside a value, with their paths. */
const flatten = (value: unknown, path: string): (readonly [string, string])[] => {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    return value === undefined ? [] : [[path, typeof value === 'string' ? value : JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, part]) =>
    flatten(part, Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`),
  );
};

/** Matches paths of headers that differ between any two calls. */
const OWN = / header\.(?:date|x-request-id|content-length|keep-alive|connection)$/;

/** The parts of a call by their paths. */
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

/** The differences between the pinned call and this one. */
export const Comparison = ({ entry }: { readonly entry: Entry }) => {
  const other = useStore(pinned);
  if (!other || other.sequence === entry.sequence) return null;
  const [before, after] = [leavesOf(other), leavesOf(entry)];
  const names = new Set([...before.keys(), ...after.keys()]);
  const different = [...names].filter((name) => before.get(name) !== after.get(name) && !OWN.test(name));
  const present = (name: string) => [
    <del>{before.get(name) ?? '–'}</del>,
    ' ',
    <ins>{after.get(name) ?? '–'}</ins>,
  ];
  return (
    <section class="card comparison" aria-labelledby="comparison">
      <header class="bar">
        <h3 id="comparison">
          Compared with call {other.sequence} {other.operation}
        </h3>
        <Buttons className="small" actions={[{ label: 'Unpin', choose: () => pinned.set(undefined) }]} />
      </header>
      {different.length === 0 && <p class="quiet">Nothing differs.</p>}
      <Facts className="" of={different.map((name) => [name, present(name)])} />
    </section>
  );
};
