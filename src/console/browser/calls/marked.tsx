/** The marked calls: two are compared, any are copied as a test or sent again. */
import { useEffect } from 'preact/hooks';
import { answer, type Entry, here } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { useLive } from '../live/loaded.tsx';
import { createStore, useStore } from '../live/store.ts';
import { attempt, step, tell } from '../parts/acts.ts';
import { Buttons, CopyButton } from '../parts/buttons.tsx';
import { go } from '../route.ts';
import { send, toSample } from './editor.tsx';

/** The numbers of the marked calls, in order. */
export const marks = createStore<ReadonlySet<number>>(new Set());

export const mark = (sequence: number, isMarked: boolean): void => {
  const others = [...marks.get()].filter((each) => each !== sequence);
  marks.set(new Set([...others, ...(isMarked ? [sequence] : [])].sort((one, other) => one - other)));
};

const unmark = (): void => marks.set(new Set());

export const readCall = (sequence: number): Promise<Entry> =>
  answer(here.GET('/requests/{sequence}', { params: { path: { sequence } } }));

export const Marked = () => {
  const { name, details } = useEnvironment();
  const marked = [...useStore(marks)];
  useEffect(() => unmark, [name]);
  if (marked.length === 0) return null;
  const again = () =>
    attempt(async () => {
      const statuses = await step(`Send ${marked.length} calls again`, async () => {
        const answers: number[] = [];
        for (const sequence of marked)
          answers.push((await send(toSample(await readCall(sequence), details))).status);
        return answers;
      });
      tell(`Sent again: ${statuses.join(', ')}.`);
    });
  const compare = { label: 'Compare', choose: () => go({ part: 'compare' }) };
  return (
    <section class="marked" aria-label="Marked calls">
      <b>{marked.length} marked</b>
      {marked.length === 2 && <Buttons className="small" actions={[compare]} />}
      <CopyTests marked={marked} />
      <Buttons
        className="small"
        actions={[
          { label: 'Send again', choose: again },
          { label: 'Unmark', choose: unmark },
        ]}
      />
    </section>
  );
};

const CopyTests = ({ marked: sequences }: { readonly marked: number[] }) => {
  // Read before the click, because browsers write to the clipboard only at once after one.
  const { value } = useLive(
    `test ${sequences.join()}`,
    () => answer(here.POST('/tests', { body: { sequences } })),
    'change',
  );
  const runners = { Vitest: value?.vitest, Jest: value?.jest, Playwright: value?.playwright };
  return Object.entries(runners).map(
    ([runner, text]) => text && <CopyButton key={runner} label={`Copy as test · ${runner}`} text={text} />,
  );
};
