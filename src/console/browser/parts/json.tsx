/** Shows JSON as coloured text, or a plain text. Users can select and copy both. */
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';

export const Json = ({ value, label }: { readonly value: unknown; readonly label: string }) => {
  const isText = typeof value === 'string';
  const text = isText ? value : (JSON.stringify(value, undefined, 2) ?? '');
  // Colouring a longer text would take too long.
  const parts = useMemo(() => (isText || text.length > 40_000 ? [text] : colour(text)), [text]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling by arrow keys needs the focus
    <section class="json" tabIndex={0} aria-label={label}>
      <pre>{parts}</pre>
    </section>
  );
};

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

const colour = (text: string) => {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const { 0: token, 1: string, 2: colon, index } of text.matchAll(TOKEN)) {
    const kind = colon !== undefined ? 'member' : string !== undefined ? 'string' : 'value';
    const shown = colon === undefined ? token : (string ?? '');
    parts.push(text.slice(end, index), <span class={kind}>{shown}</span>);
    end = index + shown.length;
  }
  return [...parts, text.slice(end)];
};
