/** Shows descriptions of the contracts: paragraphs, `code`, **bold**, [links](https://...), and rules by number. */
import type { ComponentChildren } from 'preact';

/**
 * Matches code, bold text, rules and links. A link must have an http, https or relative address; any other link stays
 * text.
 */
const MARK =
  /`([^`]+)`|\*\*([^*]+)\*\*|\b([TREIAVCPMLX]\d{1,2})\b|\[([^\]]+)\]\((https?:\/\/[^\s()]+|[^\s():]+)\)/g;

/** Formats one paragraph. */
export const toInline = (text: string): ComponentChildren[] => {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(MARK)) {
    const [whole, code, bold, rule, label, address] = match;
    parts.push(text.slice(end, match.index));
    if (code !== undefined) parts.push(<code>{code}</code>);
    else if (bold !== undefined) parts.push(<b>{bold}</b>);
    else if (rule !== undefined) parts.push(<RuleLink rule={rule} />);
    else
      parts.push(
        <a href={address ?? ''} target="_blank" rel="noopener">
          {label}
        </a>,
      );
    end = match.index + whole.length;
  }
  return [...parts, text.slice(end)];
};

/** @param rule such as `A4` */
export const RuleLink = ({ rule }: { readonly rule: string }) => (
  <a
    href={`guide/rules#${rule.toLowerCase()}`}
    target="_blank"
    rel="noopener"
    title={`Rule ${rule} in words`}
  >
    {rule}
  </a>
);

export const Prose = ({ text = '' }: { readonly text?: string | undefined }) => (
  <>
    {text
      .split(/\n\s*\n/)
      .map((paragraph) => paragraph !== '' && <p key={paragraph}>{toInline(paragraph)}</p>)}
  </>
);

/** The mark next to a statement that the contract adds to the service's description. Its title has the reason. */
export const Inferred = ({ reason }: { readonly reason?: string | undefined }) =>
  reason === undefined ? null : (
    <small class="inferred" title={reason}>
      inferred{' '}
      {reason.match(/\b[TREIAVCPMLX]\d{1,2}\b/g)?.map((rule) => (
        <span key={rule}>
          <RuleLink rule={rule} />{' '}
        </span>
      ))}
      <span class="unseen">: {reason}</span>
    </small>
  );
