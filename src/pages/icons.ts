/** Drawings of the hosted pages. They say nothing that the words beside them do not, so screen readers skip them. */
import { type Html, html } from './html.ts';

const icon = (drawing: Html): Html =>
  html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${drawing}</svg>`;

export const ICONS = {
  brand: icon(html`<path d="M9 7H7a5 5 0 0 0 0 10h2M15 7h2a5 5 0 0 1 0 10h-2M8.5 12h7"/>`),
  check: icon(html`<path d="m5 12.5 4.5 4.5L19 7.5"/>`),
  clock: icon(html`<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3.5 2"/>`),
  people: icon(
    html`<circle cx="9" cy="8" r="4"/><path d="M2 21v-1a6 6 0 0 1 6-6h2a6 6 0 0 1 6 6v1M19 8v6M16 11h6"/>`,
  ),
  question: icon(
    html`<circle cx="12" cy="12" r="9"/><path d="M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 16.5v.1"/>`,
  ),
  stop: icon(html`<circle cx="12" cy="12" r="9"/><path d="M12 7.5v5.5M12 16.5v.1"/>`),
} as const;

/** The link symbol as a favicon that is part of the page, so that no other request is made. */
export const FAVICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#4338ca"/><path d="M10 8.500H8.500a3.500 3.500 0 0 0 0 7H10M14 8.500h1.500a3.500 3.500 0 0 1 0 7H14M9.500 12h5" fill="none" stroke="#fff" stroke-width="1.800" stroke-linecap="round"/></svg>',
)}`;
