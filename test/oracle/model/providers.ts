/** Custom providers as behaviour P2 and P3 describe them. */
import { USED_PROVIDER, type World } from './world.ts';

/** @param identifier of a new provider */
export const create = (world: World, name: string, identifier: string): number => {
  const isTaken = Object.values(world.providers).some((one) => one.toLowerCase() === name.toLowerCase());
  if (isTaken) return 409;
  world.providers[identifier] = name;
  return 201;
};

export const remove = (world: World, identifier: string): number => {
  if (!(identifier in world.providers)) return 404;
  if (identifier === USED_PROVIDER) return 400;
  delete world.providers[identifier];
  return 200;
};
