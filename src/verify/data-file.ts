/** The file of `--data`: what a run knows about the server, instead of flags. */
import { parse } from 'yaml';
import { didYouMean } from '../core/nearest.ts';
import { isJsonObject } from '../openapi/document.ts';
import type { Data } from './session.ts';

const MEMBERS: Readonly<Record<string, keyof Data>> = {
  organization_id: 'organizationId',
  user_id: 'userId',
  external_id: 'externalId',
  connector: 'connector',
};

/**
 * Reads JSON or YAML.
 * @throws Error for anything but an object whose members are known texts
 */
export const readData = (text: string): Data => {
  const known = Object.keys(MEMBERS);
  const data: unknown = parse(text, { schema: 'core', logLevel: 'silent' });
  if (!isJsonObject(data)) throw new Error(`It should be an object with ${known.join(', ')}.`);
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      const member = Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : undefined;
      if (member === undefined)
        throw new Error(
          `It has an unknown member "${name}".${didYouMean(name, known)} Known: ${known.join(', ')}.`,
        );
      if (typeof value !== 'string' || value === '')
        throw new Error(`Its member ${name} should be a text that is not empty.`);
      return [member, value];
    }),
  );
};
