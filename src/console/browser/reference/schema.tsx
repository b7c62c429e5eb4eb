/** Shows schemas as lists of members, with types and limits in words, and descriptions as formatted text. */
import type { ComponentChildren } from 'preact';
import { RuleLink } from '../parts/links.tsx';
import type { Schema } from './document.ts';

const show = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const between = (least: number | undefined, most: number | undefined, what: string): string => {
  if (least === undefined && most === undefined) return '';
  if (least === most) return `${most} ${what}`;
  if (most === undefined) return `${least} ${what} or more`;
  return least ? `${least} to ${most} ${what}` : `up to ${most} ${what}`;
};

const nameOf = ({ type, format, items, properties, anyOf }: Schema): string => {
  if (items) return `list of ${nameOf(items)}`;
  if (type === undefined) return properties ? 'object' : anyOf ? 'one of several' : 'any value';
  const name = [type].flat().join(' or ');
  return format === undefined || format.startsWith('duration-') ? name : `${name} (${format})`;
};

/** Describes the type of a value, such as `string · 1 to 200 characters · default mail`. */
const describeType = (schema: Schema): string => {
  const { const: fixed, default: usual, 'x-expected': expected, pattern } = schema;
  const values = schema.enum ?? (fixed === undefined ? [] : [fixed]);
  return [
    nameOf(schema),
    values.map(show).join(', '),
    between(schema.minLength, schema.maxLength, 'characters'),
    between(schema.minimum, schema.maximum, '').trim(),
    between(schema.minItems, schema.maxItems, 'items'),
    between(undefined, schema.maxProperties, 'members'),
    expected ?? (pattern !== undefined && `matches ${pattern}`),
    usual !== undefined && `default ${show(usual)}`,
    schema.readOnly && 'set by the server',
  ]
    .filter(Boolean)
    .join(' · ');
};

export const SchemaView = ({ schema, depth = 0 }: { readonly schema: Schema; readonly depth?: number }) => {
  const { properties = {}, required = [], items, additionalProperties: others, anyOf = [] } = schema;
  if (items) return <SchemaView schema={items} depth={depth} />;
  const members = Object.entries(properties);
  return (
    <>
      {members.length > 0 && (
        <ul class="members">
          {members.map(([name, member]) => (
            <Member key={name} {...{ name, depth }} schema={member} isRequired={required.includes(name)} />
          ))}
        </ul>
      )}
      {typeof others === 'object' && <p class="quiet">Other members: {describeType(others)}</p>}
      {anyOf.map((variant, place) => (
        <div class="variant">
          <small>
            {place === 0 ? 'Either' : 'or'} {describeType(variant)}
          </small>
          <SchemaView schema={variant} depth={depth + 1} />
        </div>
      ))}
    </>
  );
};

const hasMembers = ({ properties, items, anyOf = [] }: Schema): boolean =>
  properties !== undefined || [...anyOf, ...(items ? [items] : [])].some(hasMembers);

interface MemberProps {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired?: boolean | undefined;
  /** The description and `x-inferred` of the parameter that has this schema. They replace those in the schema. */
  readonly note?: Pick<Schema, 'description' | 'x-inferred'>;
  readonly depth?: number;
}

export const Member = ({ name, schema, isRequired, note, depth = 0 }: MemberProps) => (
  <li>
    <p>
      <code class="member">{name}</code> <small>{describeType(schema)}</small>
      {isRequired && <span class="tag">required</span>}{' '}
      <Inferred reason={note?.['x-inferred'] ?? schema['x-inferred']} />
    </p>
    <Prose text={note?.description ?? schema.description} />
    {hasMembers(schema) && (
      <details open={depth === 0}>
        <summary>Members of {name}</summary>
        <SchemaView schema={schema} depth={depth + 1} />
      </details>
    )}
  </li>
);

/** Matches Markdown code, bold text and links, and names of rules, such as A4. Does not match `javascript:` links. */
const MARK =
  /`([^`]+)`|\*\*([^*]+)\*\*|\b([TREIAVCPMLX]\d{1,2})\b|\[([^\]]+)\]\((https?:\/\/[^\s()]+|[^\s():]+)\)/g;

export const toInline = (text: string): ComponentChildren[] => {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const { index, 0: whole, 1: code, 2: bold, 3: rule, 4: label, 5: href = '' } of text.matchAll(MARK)) {
    parts.push(text.slice(end, index));
    if (code !== undefined) parts.push(<code>{code}</code>);
    else if (bold !== undefined) parts.push(<b>{bold}</b>);
    else if (rule !== undefined) parts.push(<RuleLink rule={rule} />);
    else parts.push(<a {...{ href, children: label }} target="_blank" rel="noopener" />);
    end = index + whole.length;
  }
  return [...parts, text.slice(end)];
};

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
