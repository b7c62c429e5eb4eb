/**
 * What Node itself has under the names of the web. In a test environment with a DOM (jsdom, happy-dom) the globals of
 * these names are the DOM's, which Node refuses, or they are missing. Node loads its `fetch` when one of them is first
 * read, which a start need not wait for.
 */
import { transferableAbortController } from 'node:util';
import { runInThisContext } from 'node:vm';

const platform = runInThisContext('globalThis') as typeof globalThis;
const controller = transferableAbortController();

export const node = {
  AbortController: controller.constructor as typeof AbortController,
  AbortSignal: controller.signal.constructor as typeof AbortSignal,
  get Headers() {
    return platform.Headers;
  },
  get Request() {
    return platform.Request;
  },
  get Response() {
    return platform.Response;
  },
  structuredClone: platform.structuredClone,
};
