/** Shows schemas as lists of members, with types and limits in words, and descriptions as formatted text. */
import type { ComponentChildren } from 'preact';
import { RuleLink } from '../parts/code.tsx';
import type { Schema } from './document.ts';

const show = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The keywords that a reader needs, in words. */
const WORDS = {
  enum: '#',
  const: '#',
  minLength: 'length # or more',
  maxLength: 'length up to #',
  minimum: 'from #',
  maximum: 'to #',
  minItems: '# items or more',
  maxItems: 'up to # items',
  maxProperties: 'up to # members',
  pattern: 'matches #',
  'x-expected': '#',
  default: 'default #',
};

const nameOf = ({ type, format = 'duration-', items, properties, anyOf }: Schema): string => {
  if (items) return `list of ${nameOf(items)}`;
  const name = [type ?? (properties ? 'object' : anyOf ? 'one of several' : 'any value')].flat().join(' or ');
  return format.startsWith('duration-') ? name : `${name} (${format})`;
};

/** Describes the type of a value, such as `string · up to 200 characters · default mail`. */
const describeType = (schema: Schema): string => {
  const given: Readonly<Record<string, unknown>> = { ...schema };
  const limits = Object.entries(WORDS).flatMap(([keyword, words]) => {
    const isSaid = given[keyword] !== undefined && !(keyword === 'pattern' && 'x-expected' in given);
    return isSaid ? words.replace('#', () => [given[keyword]].flat().map(show).join(', ')) : [];
  });
  return [nameOf(schema), ...limits, ...(schema.readOnly ? ['set by the server'] : [])].join(' · ');
};

/** @param depth members that are deeper than the first ones are folded */
export const presentSchema = (schema: Schema, depth = 0): ComponentChildren => {
  const { properties = {}, required = [], items, additionalProperties: others, anyOf = [] } = schema;
  if (items) return presentSchema(items, depth);
  const members = Object.entries(properties).map(([name, member]) =>
    presentMember(name, member, required.includes(name), depth),
  );
  return [
    members.length > 0 && <ul class="members">{members}</ul>,
    typeof others === 'object' && <p class="quiet">Other members: {describeType(others)}</p>,
    ...anyOf.map((variant, place) => (
      <div class="variant">
        <small>
          {place === 0 ? 'Either' : 'or'} {describeType(variant)}
        </small>
        {presentSchema(variant, depth + 1)}
      </div>
    )),
  ];
};

const hasMembers = ({ properties, items, anyOf }: Schema): boolean =>
  Boolean(properties ?? anyOf?.some(hasMembers) ?? (items && hasMembers(items)));

const presentMember = (name: string, schema: Schema, isRequired: boolean, depth: number) => (
  <li key={name}>
    <p>
      <code class="member">{name}</code> <small>{describeType(schema)}</small>{' '}
      {isRequired && <span class="tag">required</span>} <Inferred reason={schema['x-inferred']} />
    </p>
    <Prose text={schema.description} />
    {hasMembers(schema) && (
      <details open={depth === 0}>
        <summary>Members of {name}</summary>
        {presentSchema(schema, depth + 1)}
      </details>
    )}
  </li>
);

/** Matches Markdown code, bold text and links, and names of rules, such as A4. Does not match `javascript:` links. */
const MARK =
  /`([^`]+)`|\*\*([^*]+)\*\*|\b([TREIAVCPMLX]\d{1,2})\b|\[([^\]]+)\]\((https?:\/\/[^\s()]+|[^\s():]+)\)/;

/** How to show each part of a text that is split by the pattern: what is between the marks, and its groups. */
const FORMS = [
  (text: string) => text,
  (code: string) => <code>{code}</code>,
  (bold: string) => <b>{bold}</b>,
  (rule: string) => <RuleLink rule={rule} />,
  (label: string, href = '') => <a {...{ href, children: label }} target="_blank" rel="noopener" />,
  () => null,
];

export const toInline = (text: string): ComponentChildren[] =>
  text.split(MARK).map((part, at, parts) => part && FORMS[at % FORMS.length]?.(part, parts[at + 1]));

export const Prose = ({ text = '' }: { readonly text?: string | undefined }) => (
  <>{text.split(/\n\s*\n/).map((paragraph) => paragraph && <p>{toInline(paragraph)}</p>)}</>
);

/** Marks a statement that is not in the service's description. The tooltip gives the reason for the statement. */
export const Inferred = ({ reason }: { readonly reason?: string | undefined }) =>
  reason === undefined ? null : (
    <small class="info" title={reason}>
      inferred {reason.match(/\b[TREIAVCPMLX]\d{1,2}\b/g)?.map((rule) => [<RuleLink rule={rule} />, ' '])}
      <span class="unseen">: {reason}</span>
    </small>
  );
