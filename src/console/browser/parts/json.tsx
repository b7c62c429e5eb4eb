/** JSON as text in colours, or a plain text: it can be selected and copied like any other. */
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { Scrolling } from './scrolling.tsx';

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

export const Json = ({ value, label }: { readonly value: unknown; readonly label: string }) => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '');
  const parts = useMemo(() => (typeof value === 'string' ? [text] : colour(text)), [text]);
  return (
    <Scrolling className="json" label={label}>
      <pre>{parts}</pre>
    </Scrolling>
  );
};

/** Beyond this many characters colours cost more than they tell. */
const COLOURED = 40_000;

const colour = (text: string): ComponentChildren[] => {
  if (text.length > COLOURED) return [text];
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [token, string, colon] = match;
    const kind = colon !== undefined ? 'member' : string !== undefined ? 'string' : 'value';
    const shown = colon === undefined ? token : (string ?? '');
    parts.push(text.slice(end, match.index), <span class={kind}>{shown}</span>);
    end = match.index + shown.length;
  }
  return [...parts, text.slice(end)];
};
