/** Compares two calls: the user pins a call and opens another, and the page shows the differences. */
import type { Schemas } from '../live/api.ts';
import { createStore, useStore } from '../live/store.ts';

type Entry = Schemas['Request'];

const pinned = createStore<Entry | undefined>(undefined);

export const PinButton = ({ entry }: { readonly entry: Entry }) => {
  const isPinned = useStore(pinned) === entry;
  return (
    <button
      type="button"
      class="small"
      aria-pressed={isPinned}
      onClick={() => pinned.set(isPinned ? undefined : entry)}
    >
      {isPinned ? 'Pinned: open another call' : 'Compare'}
    </button>
  );
};

type Leaves = ReadonlyMap<string, string>;

/** All values inside a value, with their paths. */
const flatten = (value: unknown, path: string): (readonly [string, string])[] => {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    return value === undefined ? [] : [[path, typeof value === 'string' ? value : JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, part]) =>
    flatten(part, Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`),
  );
};

/** Matches headers that differ between any two calls. */
const OWN = /^(?:date|x-request-id|content-length|keep-alive|connection)$/;

const headersOf = (headers: Entry['request']['headers']): object =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.test(name)));

const leavesOf = ({ status, request, response }: Entry): Leaves =>
  new Map([
    ['status', String(status)],
    ['method', request.method],
    ...flatten(Object.fromEntries(new URL(request.url, location.origin).searchParams), 'query'),
    ['path', new URL(request.url, location.origin).pathname],
    ...flatten(headersOf(request.headers), 'request header'),
    ...flatten(request.body, 'request body'),
    ...flatten(headersOf(response.headers), 'response header'),
    ...flatten(response.body, 'response body'),
  ]);

/** The differences between the pinned call and this one. */
export const Comparison = ({ entry }: { readonly entry: Entry }) => {
  const other = useStore(pinned);
  if (!other || other.sequence === entry.sequence) return null;
  const [before, after] = [leavesOf(other), leavesOf(entry)];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const different = names.filter((name) => before.get(name) !== after.get(name));
  return (
    <section class="card comparison" aria-labelledby="comparison">
      <header class="bar">
        <h3 id="comparison">
          Compared with call {other.sequence} {other.operation}
        </h3>
        <button type="button" class="small" onClick={() => pinned.set(undefined)}>
          Unpin
        </button>
      </header>
      {different.length === 0 && <p class="quiet">Nothing differs.</p>}
      <dl>
        {different.map((name) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <del>{before.get(name) ?? '–'}</del> <ins>{after.get(name) ?? '–'}</ins>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
};
