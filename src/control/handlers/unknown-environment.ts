/** Telling a caller that there is no such environment, and which ones there are. */
import { didYouMean } from '../../core/nearest.ts';
import type { Environments } from '../../environments/environments.ts';
import { ControlError } from '../errors.ts';

/** 404. @param where what named it: `the header X-Mock-Environment names`; nothing for the path */
export const unknownEnvironment = (
  environments: Environments,
  nameOrId: string,
  where?: string,
): ControlError => {
  const name = nameOrId.slice(0, 100);
  return new ControlError(
    'NOT_FOUND',
    where === undefined
      ? `There is no environment ${JSON.stringify(name)}.`
      : `There is no environment ${JSON.stringify(name)}, which ${where}.`,
    didYouMean(name, namesOf(environments)).trim() || namesHint(environments),
  );
};

const namesOf = ({ byId }: Environments): string[] => Array.from(byId.values(), ({ name }) => name);

const SHOWN = 20;

const namesHint = (environments: Environments): string => {
  const names = namesOf(environments);
  const more = names.length > SHOWN ? ' and more' : '';
  return `There are ${names.slice(0, SHOWN).join(', ')}${more}; GET /_mock/environments lists them.`;
};
