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

/** The numbers of the marked calls. */
export const marks = createStore<ReadonlySet<number>>(new Set());

const RUNNERS = { Vitest: 'vitest', Jest: 'jest', Playwright: 'playwright' } as const;

const unmark = (): void => marks.set(new Set());

export const readCall = (sequence: number): Promise<Entry> =>
  answer(here.GET('/requests/{sequence}', { params: { path: { sequence } } }));

export const Marked = () => {
  const { name, details } = useEnvironment();
  const marked = [...useStore(marks)].sort((one, other) => one - other);
  useEffect(() => unmark, [name]);
  if (marked.length === 0) return null;
  const again = () =>
    attempt(async () => {
      const statuses = await step(`Send ${marked.length} calls again`, async () => {
        const answers: number[] = [];
        for (const sequence of marked) {
          const sample = toSample(await readCall(sequence), details);
          answers.push((await send(sample)).status);
        }
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

const CopyTests = ({ marked }: { readonly marked: readonly number[] }) => {
  // Read before the click, because browsers write to the clipboard only at once after one.
  const { value } = useLive(
    `test ${marked.join()}`,
    () =>
      answer(
        here.POST('/tests', {
          body: { sequences: [...marked] },
        }),
      ),
    'change',
  );
  return (
    <>
      {value &&
        Object.entries(RUNNERS).map(([label, runner]) => (
          <CopyButton key={runner} label={`Copy as test · ${label}`} text={value[runner]} />
        ))}
    </>
  );
};
