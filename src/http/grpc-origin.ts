/** Requests of the API that were calls of another protocol before. */
import type { IncomingMessage } from 'node:http';
import type { Refusal } from '../core/errors.ts';

/** What a request was as a gRPC call. */
export interface GrpcOrigin {
  /** `package.Service/Method` */
  readonly method: string;
  /** Why the server refuses it: it matches no operation, or its path cannot be written. */
  readonly refusal?: Refusal | undefined;
}

const origins = new WeakMap<IncomingMessage, GrpcOrigin>();

export const markOrigin = (request: IncomingMessage, origin: GrpcOrigin): void => {
  origins.set(request, origin);
};

/** Undefined for a request that came as one. */
export const originOf = (request: IncomingMessage): GrpcOrigin | undefined => origins.get(request);
