/** Finds the places of values in a JSON schema, so that tests can put wrong names and values at each of them. */

export interface Schema {
  readonly $ref?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

type Wrap = (inner: unknown) => unknown;

export interface Place {
  readonly schema: Schema;
  /** The path, such as `users[0].email`. An environment that has any name is called `development`. */
  readonly field: string;
  /** Makes a whole value that has this value at the place. */
  readonly wrap: Wrap;
  /** For a member of an object: its name, and `wrap` of the object. */
  readonly member?: { readonly name: string; readonly inObject: Wrap };
}

/** Deeper places are not found, since schemas may contain themselves. */
const DEEPEST = 14;

/** @param root what references are looked up in @param isEntered whether the places inside of a value are wanted too */
export const placesIn = (
  schema: Schema,
  root: object,
  { field = '', isEntered = () => true }: { field?: string; isEntered?: (schema: Schema) => boolean } = {},
): readonly Place[] => {
  const visit = (place: Place, depth: number): readonly Place[] => {
    const { schema: given, field, wrap } = place;
    if (depth > DEEPEST) return [];
    if (given.$ref !== undefined) {
      const steps = given.$ref.slice(2).split('/');
      const target = steps.reduce<Schema>((value, step) => Reflect.get(value, step), root);
      return visit({ ...place, schema: target }, depth + 1);
    }
    if (!isEntered(given)) return [place];
    const { items, properties = {}, additionalProperties: others } = given;
    const forms = [...(given.allOf ?? []), ...(given.anyOf ?? []), ...(given.oneOf ?? [])];
    const inner: Place[] = [
      ...forms.map((form) => ({ schema: form, field, wrap })),
      ...(items ? [{ schema: items, field: `${field}[0]`, wrap: (value: unknown) => wrap([value]) }] : []),
      ...Object.entries(properties).map(([name, member]) => ({
        schema: member,
        field: field === '' ? name : `${field}.${name}`,
        wrap: (value: unknown) => wrap({ [name]: value }),
        member: { name, inObject: wrap },
      })),
      ...(typeof others === 'object' && others !== null
        ? [
            {
              schema: others,
              field: `${field}.development`,
              wrap: (value: unknown) => wrap({ development: value }),
            },
          ]
        : []),
    ];
    return [place, ...inner.flatMap((one) => visit(one, depth + 1))];
  };
  return visit({ schema, field, wrap: (value) => value }, 0);
};
