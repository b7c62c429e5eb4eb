/** What is particular to one of the planes that are made from an OpenAPI document. */
import type { Request, RequestHandler, Response } from 'express';
import type { ErrorCode, Refusal } from '../core/errors.ts';
import type { Contract, ContractOperation } from '../openapi/load.ts';

export interface Plane<Id extends string> {
  readonly contract: Contract<Id>;
  /** Where it is mounted, and where its operations are listed: for messages. */
  readonly prefix: string;
  readonly listedIn: string;
  /** What a call goes through that is of no operation, before it is refused. */
  readonly otherwise: readonly RequestHandler[];
  /** What to do about a path that no operation has. */
  adviseUnknown?(method: string, path: string): string;
  /** How a method is refused that a path does not have, and the methods that every path has. */
  readonly wrongMethod: { readonly code: ErrorCode; readonly always: readonly string[] };
  /** What every request goes through, before its operation is looked for. */
  readonly before: readonly RequestHandler[];
  /** What a call of an operation goes through. The order is the order in which it can be refused. */
  stepsOf(operation: ContractOperation<Id>): readonly RequestHandler[];
  /** The answer to a call that is refused. */
  present(refusal: Refusal, request: Request, response: Response): Presented;
  /** Sends the text of a refusal. */
  send(response: Response, text: string): void;
  /** Called for every internal error, which a client sees as a plain 500. */
  readonly onInternalError: (error: unknown) => void;
}

/** A refusal as a plane writes it. */
export interface Presented {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
}
