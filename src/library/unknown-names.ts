/** Refuses misspelt names in objects that the library reads itself (behaviour N1). */
import { show } from '../engine/core/contains.ts';
import { didYouMean, nearest } from '../engine/core/text.ts';

/** @throws TypeError for an unknown name, because a misspelled condition would otherwise be ignored */
export const requireNames = (given: object, names: readonly string[]): void => {
  if (typeof given !== 'object' || given === null)
    throw new TypeError(`${show(given)} must be an object. Its members can be ${names.join(', ')}.`);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const advice = didYouMean(unknown, names) || ` Known: ${names.join(', ')}.`;
  throw new TypeError(`Unknown name ${unknown}.${advice}`);
};

/** @throws TypeError for a name like `name`; the mock checks the others, but does not know this one */
export const refuseLike = (name: string, others: object): void => {
  const wrong = Object.keys(others).find((each) => nearest(each, [name]) !== undefined);
  if (wrong !== undefined) throw new TypeError(`Unknown name ${wrong}. Did you mean "${name}"?`);
};
