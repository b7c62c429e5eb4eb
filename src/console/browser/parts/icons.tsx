/** Drawings next to words with the same meaning; screen readers skip them. */
import type { ComponentChildren } from 'preact';

const icon = (drawing: ComponentChildren) => (
  <svg viewBox="0 0 24 24" class="icon" aria-hidden="true" focusable="false">
    {drawing}
  </svg>
);

export const ICONS = {
  brand: icon(<path d="M9 7H7a5 5 0 0 0 0 10h2M15 7h2a5 5 0 0 1 0 10h-2M8.500 12h7" />),
  caret: icon(<path d="m7 10 5 5 5-5" />),
  clock: icon(<path d="M12 3a9 9 0 1 0 .001 0M12 7v5l3.500 2" />),
  close: icon(<path d="M6 6l12 12M18 6 6 18" />),
  copy: icon(<path d="M9 9h11v11H9zM15 9V4H4v11h5" />),
  done: icon(<path d="m5 12.500 4.500 4.500L19 7.500" />),
  frozen: icon(<path d="M9 5v14M15 5v14" />),
  next: icon(<path d="m10 7 5 5-5 5" />),
  open: icon(<path d="M14 5h5v5M19 5l-8 8M11 6H5v13h13v-6" />),
  previous: icon(<path d="m14 7-5 5 5 5" />),
  reset: icon(<path d="M4 12a8 8 0 1 0 3-6.200M4 4v5h5" />),
  search: icon(<path d="M11 4a7 7 0 1 0 .001 0M16.500 16.500 21 21" />),
} as const;
