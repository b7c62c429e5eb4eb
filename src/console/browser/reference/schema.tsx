/** What a document says of values: the members of a schema in one list, and descriptions as formatted text. */
import type { ComponentChildren } from 'preact';
import type { Place } from '../../../engine/contract/members.ts';
import { RuleLink } from '../parts/code.tsx';

/** The keywords that a reader needs, in words. */
const WORDS = {
  enum: '#',
  const: '#',
  minLength: 'length # or more',
  maxLength: 'length up to #',
  minimum: 'from #',
  maximum: 'to #',
  maxItems: 'up to # items',
  maxProperties: 'up to # members',
  pattern: 'matches #',
  default: 'default #',
  readOnly: 'set by the server',
};

const show = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** What the schemas of a place, alternatives included, say with a keyword. */
const said = ({ forms }: Place, keyword: string): readonly string[] => [
  ...new Set(forms.flatMap((form) => form[keyword] ?? []).map(show)),
];

/** Describes the values of a place, such as `string · up to 200 characters · default mail`. */
const describe = (place: Place): string => {
  const { items, others } = place;
  const types = said(place, 'type').map((type) => (type === 'array' ? 'list' : type));
  const type = types.join(' or ') || 'any value';
  const [expected] = said(place, 'x-expected'); // it says what the limits mean
  if (expected !== undefined) return `${type} · ${expected}`;
  const limits = Object.entries(WORDS).map(([keyword, words]) => {
    const values = said(place, keyword).join(', ');
    return values && words.replace('#', () => values);
  });
  const inside = [items && `items: ${describe(items)}`, others && `other members: ${describe(others)}`];
  return [type, ...said(place, 'format'), ...limits, ...inside].filter(Boolean).join(' · ');
};

const membersOf = ({ members, items }: Place): readonly Place[] =>
  items && members.size === 0 ? membersOf(items) : [...members.values()];

/** The members inside a place, at any depth. */
export const Members = ({ of }: { readonly of: Place }): ComponentChildren =>
  membersOf(of).length > 0 && (
    <ul class="members">
      {membersOf(of).map((place) => (
        <li key={place.path}>
          <p>
            <code class="member">{place.path.split('.').at(-1)}</code> <small>{describe(place)}</small>{' '}
            {place.isRequired && <span class="tag">required</span>}
          </p>
          <Prose text={said(place, 'description')[0]} />
          <Inferred reason={said(place, 'x-inferred')[0]} />
          <Members of={place} />
        </li>
      ))}
    </ul>
  );

/** Matches Markdown code, names of rules, such as A4, and links, but not `javascript:` links. */
const MARK = /`([^`]+)`|\b([TREIAVCPMLX]\d{1,2})\b|\[([^\]]+)\]\((https?:\/\/[^\s()]+|[^\s():]+)\)/;

/** How to show each part of a text that is split by the pattern: what is between the marks, and its groups. */
const FORMS = [
  (text: string) => text,
  (code: string) => <code>{code}</code>,
  (rule: string) => <RuleLink rule={rule} />,
  (label: string, href = '') => <a {...{ href, children: label }} target="_blank" rel="noopener" />,
  () => null,
];

export const toInline = (text: string): ComponentChildren[] =>
  text.split(MARK).map((part, at, parts) => part && FORMS[at % FORMS.length]?.(part, parts[at + 1]));

export const Prose = ({ text = '' }: { readonly text?: string | undefined }) => (
  <>{text.split(/\n\s*\n/).map((paragraph) => paragraph && <p>{toInline(paragraph)}</p>)}</>
);

/** Marks a statement that is not in the service's description, with the reason for it. */
export const Inferred = ({ reason }: { readonly reason?: string | undefined }) =>
  reason && (
    <small>
      <span class="info">inferred</span> {toInline(reason)}
    </small>
  );
