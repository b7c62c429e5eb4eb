/** Turning pages, where there is more than one. */
import { ICONS } from './icons.tsx';

interface Tokens {
  readonly next_page_token: string;
  readonly prev_page_token: string;
}

export const Pager = ({
  page: { next_page_token: next, prev_page_token: previous },
  turn,
}: {
  readonly page: Tokens;
  readonly turn: (token: string) => void;
}) =>
  next === '' && previous === '' ? null : (
    <nav class="pager" aria-label="Pages">
      <button type="button" disabled={previous === ''} onClick={() => turn(previous)}>
        {ICONS.previous} Previous
      </button>
      <button type="button" disabled={next === ''} onClick={() => turn(next)}>
        Next {ICONS.next}
      </button>
    </nav>
  );
