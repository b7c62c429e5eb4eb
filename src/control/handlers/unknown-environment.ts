/** Telling a caller that there is no such environment, and which ones there are. */
import { didYouMean } from '../../core/nearest.ts';
import type { World } from '../../environments/world.ts';
import { ControlError } from '../errors.ts';

/** 404. @param where what named it: `the header X-Mock-Environment names`; nothing for the path */
export const unknownEnvironment = (world: World, nameOrId: string, where?: string): ControlError => {
  const name = nameOrId.slice(0, 100);
  return new ControlError(
    'NOT_FOUND',
    where === undefined
      ? `There is no environment ${JSON.stringify(name)}.`
      : `There is no environment ${JSON.stringify(name)}, which ${where}.`,
    didYouMean(name, namesOf(world)).trim() || namesHint(world),
  );
};

const namesOf = ({ environments }: World): string[] => Array.from(environments.values(), ({ name }) => name);

const SHOWN = 20;

const namesHint = (world: World): string => {
  const names = namesOf(world);
  const more = names.length > SHOWN ? ' and more' : '';
  return `There are ${names.slice(0, SHOWN).join(', ')}${more}; GET /_mock/environments lists them.`;
};
