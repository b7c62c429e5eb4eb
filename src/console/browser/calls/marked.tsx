/** The marked calls: two are compared, any are copied as a test or sent again. */
import { answer, BASE, type Entry, here, isObject } from '../live/api.ts';
import { Loading, useEnvironment, useLive, useLoaded } from '../live/live.tsx';
import { createStore, useStore } from '../live/store.ts';
import { attempt, step, tell } from '../parts/acts.ts';
import { Buttons, CopyButton } from '../parts/buttons.tsx';
import { Code } from '../parts/code.tsx';
import { Facts, Panel, toWords } from '../parts/layout.tsx';
import { go } from '../route.ts';
import { send, toSample } from './editor.tsx';

/** The numbers of the marked calls, in order. */
export const marks = createStore<readonly number[]>([]);

/** Marks a call, or takes its mark away. */
export const mark = (sequence: number): void => {
  const others = marks.get().filter((each) => each !== sequence);
  const isMarked = others.length < marks.get().length;
  marks.set(isMarked ? others : [...others, sequence].sort((one, other) => one - other));
};

export const unmark = (): void => marks.set([]);

export const readCall = (sequence: number): Promise<Entry> =>
  answer(here.GET('/requests/{sequence}', { params: { path: { sequence } } }));

export const Marked = ({ marked }: { readonly marked: readonly number[] }) => {
  const { details } = useEnvironment();
  // Read before the click, because browsers write to the clipboard only at once after one.
  const read = () => answer(here.POST('/tests', { body: { sequences: [...marked] } }));
  const tests = useLive('', read, 'change').value;
  const again = () =>
    attempt(async () => {
      const statuses: number[] = [];
      await step(`Send ${marked.length} calls again`, async () => {
        for (const sequence of marked)
          statuses.push((await send(toSample(await readCall(sequence), details))).status);
      });
      tell(`Sent again: ${statuses.join(', ')}.`);
    });
  const compare = { label: 'Compare', choose: () => go({ part: 'compare' }) };
  const others = [
    { label: 'Send again', choose: again },
    { label: 'Unmark', choose: unmark },
  ];
  return (
    <section class="marked" aria-label="Marked calls">
      <b>{marked.length} marked</b>
      {Object.entries(tests ?? {}).map(([runner, text]) => (
        <CopyButton key={runner} label={`Copy as test · ${toWords(runner)}`} text={text} />
      ))}
      <Buttons className="small" actions={[...(marked.length === 2 ? [compare] : []), ...others]} />
    </section>
  );
};

/** How the first two marked calls differ, member by member. */
export const Comparison = () => {
  const marked = useStore(marks).slice(0, 2);
  const found = useLoaded(marked.join(), () => Promise.all(marked.map(readCall)));
  return (
    <Panel title="Two calls" close={() => go({ part: '' })}>
      <Loading from={found}>
        {(calls) => (
          <section aria-label="Comparison">
            {calls.map(({ sequence, status, operation, request }) => (
              <p key={sequence} class="summary">
                <Code status={status} /> <b>{operation ?? request.method}</b>{' '}
                <small class="quiet">call {sequence}</small> {request.url}
              </p>
            ))}
            {calls.length < 2 ? <p class="empty">Mark two calls.</p> : presentDifferences(calls)}
          </section>
        )}
      </Loading>
    </Panel>
  );
};

/** Matches headers that comparisons ignore, because they differ between any two calls. */
const VARYING = /headers\.(?:date|x-request-id|content-length|keep-alive|connection)$/;

const presentDifferences = (calls: readonly Entry[]) => {
  const leaves = calls.map(leavesOf);
  const names = [...new Set(leaves.flatMap((each) => [...each.keys()]))];
  const differing = names.filter(
    (name) => !VARYING.test(name) && new Set(leaves.map((each) => each.get(name))).size > 1,
  );
  if (differing.length === 0) return <p class="quiet">No differences.</p>;
  const facts = differing.map((name) => {
    const [old, now] = leaves.map((each) => each.get(name) ?? '–');
    return [name, [<del>{old}</del>, ' ', <ins>{now}</ins>]] as const;
  });
  return <Facts className="differences" of={facts} />;
};

const leavesOf = ({ status, request: { method, url, ...request }, response }: Entry) => {
  const { pathname: path, searchParams } = new URL(url, BASE);
  const query = Object.fromEntries(searchParams);
  return new Map(flatten({ status, method, path, query, request, response }));
};

const flatten = (value: unknown, path = ''): (readonly [string, string])[] => {
  if (!isObject(value) || Object.keys(value).length === 0)
    return value === undefined ? [] : [[path, typeof value === 'string' ? value : JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, part]) =>
    flatten(part, Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`.replace(/^\./, '')),
  );
};
