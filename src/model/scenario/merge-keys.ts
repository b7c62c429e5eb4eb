/** Merge keys of YAML: `<<: *base` gives a map the members of another map, unless the map has members of these names. */
import { isJsonObject } from '../../contract/document.ts';

const MERGE = '<<';

/** The most members that all merge keys together can add. More could fill the memory. */
const MOST_MERGED = 100_000;

type Path = readonly (string | number)[];

/**
 * Merges in place. A map that aliases use in several places is one object here, and is merged once; so maps that merge
 * each other in many layers take no longer than they are large.
 * @returns the path of a merge key that cannot be applied, with the reason
 */
export const applyMergeKeys = (
  root: unknown,
): { readonly path: Path; readonly message: string } | undefined => {
  const done = new Set<unknown>();
  let left = MOST_MERGED;
  const visit = (value: unknown, path: Path): ReturnType<typeof applyMergeKeys> => {
    if (typeof value !== 'object' || value === null || done.has(value)) return undefined;
    done.add(value);
    for (const [name, member] of Object.entries(value)) {
      const problem = visit(member, [...path, Array.isArray(value) ? Number(name) : name]);
      if (problem) return problem;
    }
    return Object.hasOwn(value, MERGE) ? merge(value, path) : undefined;
  };
  const merge = (map: object, path: Path): ReturnType<typeof applyMergeKeys> => {
    const bases: readonly unknown[] = [Reflect.get(map, MERGE)].flat();
    if (!bases.every(isJsonObject)) return { path: [...path, MERGE], message: NOT_A_MAP };
    Reflect.deleteProperty(map, MERGE);
    for (const [name, value] of bases.flatMap((base) => Object.entries(base))) {
      if (Object.hasOwn(map, name)) continue;
      left -= 1;
      if (left < 0) return { path, message: `merge keys add more than ${MOST_MERGED} members` };
      Object.defineProperty(map, name, { value, enumerable: true, configurable: true, writable: true });
    }
    return undefined;
  };
  return visit(root, []);
};

const NOT_A_MAP =
  'the merge key << takes a map, such as the alias *base of an anchor &base, or a list of maps';
