/** `{env}` in a base URL: each environment has a host of its own, which begins with its name. */

const FORM = /^(https?:\/\/)\{env\}\./i;

/** A base URL without the place of the name: the server's own address. */
export const withoutLabel = (baseUrl: string): string => baseUrl.replace(FORM, '$1');

/** The address of one environment; the same for all if the base URL has no place for a name. */
export const withLabel = (baseUrl: string, name: string): string =>
  baseUrl.replace(FORM, (_form, scheme: string) => `${scheme}${name.toLowerCase()}.`);

/** What a host has in the place of the name, or undefined. */
export const labelOf = (baseUrl: string, host: string): string | undefined => {
  if (!FORM.test(baseUrl)) return undefined;
  const [label, ...rest] = host.toLowerCase().split('.');
  return label !== undefined && rest.join('.') === new URL(withoutLabel(baseUrl)).host ? label : undefined;
};
