/**
 * Request and response classes that already have the prototypes Express wants. Express sets both prototypes on every
 * request; on Node 20 and 22 that takes two thirds of its time, unless it changes nothing.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express } from 'express';

export interface MessageClasses {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/** Classes for `http.createServer` for this app; Express' own `setPrototypeOf` then changes nothing. */
export const createMessageClasses = (app: Express): MessageClasses => {
  class MockRequest extends IncomingMessage {}
  class MockResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {}
  adopt(MockRequest.prototype, express.request, app);
  adopt(MockResponse.prototype, express.response, app);
  Object.assign(app, { request: MockRequest.prototype, response: MockResponse.prototype });
  return { IncomingMessage: MockRequest, ServerResponse: MockResponse };
};

/** Adds Express' methods to a message class, and the app where Express looks for it. */
const adopt = (prototype: object, methods: object, app: Express): void => {
  Object.setPrototypeOf(prototype, methods);
  Object.defineProperty(prototype, 'app', { value: app, configurable: true, writable: true });
};
