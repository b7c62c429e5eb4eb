/** Where this code runs: in Node, or in a page, as in Vitest's browser mode. A page has no environment variables. */
import type { Variables } from './variables.ts';

// Through `globalThis`, since a bundler for pages replaces Node's modules by empty ones.
const own: typeof globalThis.process | undefined = globalThis.process;

export const isPage = own === undefined;

let given: Variables = {};

/** Gives a page the variables of the process that serves it. */
export const giveVariables = (variables: Variables): void => {
  given = variables;
};

export const envVariables = (): Variables => own?.env ?? given;
