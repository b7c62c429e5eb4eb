/**
 * What Node itself has under the names of the web. In a test environment with a DOM (jsdom, happy-dom) the globals of
 * these names are the DOM's, which Node refuses, or there are none.
 */
import { transferableAbortController } from 'node:util';
import { runInThisContext } from 'node:vm';

const { Headers, Request, Response, structuredClone } = runInThisContext('globalThis') as typeof globalThis;
const controller = transferableAbortController();

export const node = {
  AbortController: controller.constructor as typeof AbortController,
  AbortSignal: controller.signal.constructor as typeof AbortSignal,
  Headers,
  Request,
  Response,
  structuredClone,
};
