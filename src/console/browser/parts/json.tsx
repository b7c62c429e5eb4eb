/** JSON as text in colours, or a plain text: it can be selected and copied like any other. */
import { useMemo } from 'preact/hooks';
import { Scrolling } from './scrolling.tsx';

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

interface Part {
  readonly text: string;
  readonly kind?: 'member' | 'string' | 'value';
}

/** Beyond this many characters colours cost more than they tell. */
const COLOURED = 40_000;

const colour = (text: string): Part[] => {
  if (text.length > COLOURED) return [{ text }];
  const parts: Part[] = [];
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
