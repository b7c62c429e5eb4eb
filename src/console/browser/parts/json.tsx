/** Shows JSON as coloured text, or a plain text. Users can select and copy both. */
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

export const Json = ({ value, label }: { readonly value: unknown; readonly label: string }) => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '');
  const parts = useMemo(() => (typeof value === 'string' ? [{ text }] : colour(text)), [text]);
  return (
    <Scrolling className="json" label={label}>
      <pre>{parts.map(({ text: part, kind }) => (kind ? <span class={kind}>{part}</span> : part))}</pre>
    </Scrolling>
  );
};

interface ScrollingProps {
  readonly label: string;
  readonly className: string;
  readonly children: ComponentChildren;
}

/** A scrolling area that keyboard users can focus and scroll with the arrow keys; screen readers say its name. */
export const Scrolling = ({ label, className, children }: ScrollingProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling by arrow keys needs the focus
  <section class={className} tabIndex={0} aria-label={label}>
    {children}
  </section>
);

interface JsonPart {
  readonly text: string;
  readonly kind?: 'member' | 'string' | 'value';
}

/** Longer texts have no colours, since colouring them would take too long. */
const COLOURED = 40_000;

const colour = (text: string): JsonPart[] => {
  if (text.length > COLOURED) return [{ text }];
  const parts: JsonPart[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [token, string, colon] = match;
    const kind = colon !== undefined ? 'member' : string !== undefined ? 'string' : 'value';
    const shown = colon === undefined ? token : (string ?? '');
    parts.push({ text: text.slice(end, match.index) }, { text: shown, kind });
    end = match.index + shown.length;
  }
  return [...parts, { text: text.slice(end) }];
};
