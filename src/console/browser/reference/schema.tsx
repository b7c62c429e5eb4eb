/** A schema as a list of members, each with its type and limits in words. */
import type { Schema } from './document.ts';
import { Inferred, Prose } from './prose.tsx';

const show = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const between = (least: number | undefined, most: number | undefined, what: string): string => {
  if (least === undefined && most === undefined) return '';
  if (least === most) return `${most} ${what}`;
  if (most === undefined) return `${least} ${what} or more`;
  return least === undefined || least === 0 ? `up to ${most} ${what}` : `${least} to ${most} ${what}`;
};

/** Merges the members of all parts of a schema. */
export const merge = (schema: Schema): Schema => {
  if (!schema.allOf) return schema;
  const { allOf, ...own } = schema;
  const parts = [...allOf.map(merge), own];
  const properties = Object.assign({}, ...parts.map((part) => part.properties));
  return {
    ...Object.assign({}, ...parts),
    ...(Object.keys(properties).length > 0 && { properties }),
    required: parts.flatMap(({ required = [] }) => required),
  };
};

const nameOf = ({ type, format, items, properties, anyOf, oneOf }: Schema): string => {
  if (items) return `list of ${nameOf(merge(items))}`;
  const name = type === undefined ? (properties ? 'object' : '') : [type].flat().join(' or ');
  if (name === '') return anyOf || oneOf ? 'one of several' : 'any value';
  return format === undefined || format.startsWith('duration-') ? name : `${name} (${format})`;
};

/** Describes the type of a value, such as `string · 1 to 200 characters · default mail`. */
export const describeType = (schema: Schema): string => {
  const { const: fixed, default: usual, minimum, maximum, 'x-expected': expected, pattern } = schema;
  const values = schema.enum ?? (fixed === undefined ? undefined : [fixed]);
  return [
    nameOf(schema),
    values?.map(show).join(', '),
    between(schema.minLength, schema.maxLength, 'characters'),
    between(minimum, maximum, '').trim(),
    between(schema.minItems, schema.maxItems, 'items'),
    between(undefined, schema.maxProperties, 'members'),
    expected ?? (pattern !== undefined && `matches ${pattern}`),
    usual !== undefined && `default ${show(usual)}`,
    schema.readOnly && 'set by the server',
  ]
    .filter(Boolean)
    .join(' · ');
};

/** Members at this depth or deeper are folded. */
const FOLDED = 2;

interface SchemaViewProps {
  readonly schema: Schema;
  readonly depth?: number;
}

export const SchemaView = ({ schema: given, depth = 0 }: SchemaViewProps) => {
  const schema = merge(given);
  const { properties = {}, required = [], items, additionalProperties: others } = schema;
  if (items) return <SchemaView schema={items} depth={depth} />;
  const variants = schema.anyOf ?? schema.oneOf ?? [];
  return (
    <>
      {Object.keys(properties).length > 0 && (
        <ul class="members">
          {Object.entries(properties).map(([name, member]) => (
            <Member
              key={name}
              name={name}
              schema={merge(member)}
              isRequired={required.includes(name)}
              depth={depth}
            />
          ))}
        </ul>
      )}
      {typeof others === 'object' && <p class="quiet">Any other member: {describeType(merge(others))}</p>}
      {variants.map((variant, place) => (
        <div class="variant" key={describeType(variant) + place}>
          <small>
            {place === 0 ? 'Either' : 'or'} {describeType(merge(variant))}
          </small>
          <SchemaView schema={variant} depth={depth + 1} />
        </div>
      ))}
    </>
  );
};

const hasMembers = ({ properties, items, anyOf, oneOf, allOf }: Schema): boolean =>
  properties !== undefined ||
  (anyOf ?? oneOf ?? allOf ?? []).some(hasMembers) ||
  (items !== undefined && hasMembers(items));

interface MemberProps {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** The description and the mark of the member that has this schema. */
  readonly note?: Pick<Schema, 'description' | 'x-inferred'>;
  readonly depth: number;
}

export const Member = ({ name, schema, isRequired, note, depth }: MemberProps) => (
  <li>
    <p>
      <code class="member">{name}</code> <small>{describeType(schema)}</small>
      {isRequired && <span class="tag warn">required</span>}{' '}
      <Inferred reason={note?.['x-inferred'] ?? schema['x-inferred']} />
    </p>
    <Prose text={note?.description ?? schema.description} />
    {hasMembers(schema) && (
      <details open={depth + 1 < FOLDED}>
        <summary>Members of {name}</summary>
        <SchemaView schema={schema} depth={depth + 1} />
      </details>
    )}
  </li>
);
