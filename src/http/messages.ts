/**
 * Request and response classes whose prototypes Express can keep. Express sets the prototype of both on every request;
 * on Node 20 and 22 that costs two thirds of its time, unless they already have the one it wants.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express } from 'express';

export interface MessageClasses {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/** Classes for `http.createServer` that make Express' own `setPrototypeOf` change nothing, for this app. */
export const createMessageClasses = (app: Express): MessageClasses => {
  class MockRequest extends IncomingMessage {}
  class MockResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {}
  adopt(MockRequest.prototype, express.request, app);
  adopt(MockResponse.prototype, express.response, app);
  Object.assign(app, { request: MockRequest.prototype, response: MockResponse.prototype });
  return { IncomingMessage: MockRequest, ServerResponse: MockResponse };
};

/** Puts Express' methods behind a message class, and the app where Express looks for it. */
const adopt = (prototype: object, methods: object, app: Express): void => {
  Object.setPrototypeOf(prototype, methods);
  Object.defineProperty(prototype, 'app', { value: app, configurable: true, writable: true });
};
