/** The members that the contract marks as credentials with `x-secret` (behaviour R2). */
import { isSecretName, plainName } from '../core/secrets.ts';
import { follow, type OpenApiDocument } from './document.ts';
import { loadContract } from './load.ts';

/** Whether a member of this name can be a credential: because the contract says so, or by its name alone. */
export const isSecretMember = (name: string): boolean => {
  marked ??= new Set(secretMembers(loadContract().document).map(plainName));
  return isSecretName(name, marked);
};

let marked: ReadonlySet<string> | undefined;

/** The names of all members whose schema has `x-secret`. */
const secretMembers = ({ components }: OpenApiDocument): readonly string[] => {
  const namesIn = (value: unknown): string[] => {
    if (typeof value !== 'object' || value === null) return [];
    const members = Object.entries('properties' in value ? Object(value.properties) : {});
    const own = members.filter(([, member]) => 'x-secret' in follow({ components }, member));
    return [...own.map(([name]) => name), ...Object.values(value).flatMap(namesIn)];
  };
  return namesIn(components.schemas);
};
