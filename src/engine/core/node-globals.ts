/**
 * Node's own versions of web globals. In a test environment with a DOM (jsdom, happy-dom), the globals of these names
 * are missing, or are the DOM's, which Node rejects. `Headers`, `Request` and `Response` are inherited, not
 * copied, because the first access makes Node load `fetch`, which would slow down the start.
 */
import * as util from 'node:util';
import { runInThisContext } from 'node:vm';

const platform = runInThisContext('globalThis') as typeof globalThis;
const controller = util.transferableAbortController?.() ?? new AbortController(); // Bun has no such function

export const node: Pick<
  typeof globalThis,
  'AbortController' | 'AbortSignal' | 'Headers' | 'Request' | 'Response' | 'structuredClone'
> = Object.create(platform, {
  AbortController: { value: controller.constructor },
  AbortSignal: { value: controller.signal.constructor },
  structuredClone: { value: platform.structuredClone },
});
