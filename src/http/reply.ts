/** Writing a JSON reply: checked against the contract first, so that a reply that cannot be sent changes nothing. */
import type { Response } from 'express';

/** Checks the reply of a call that the validator has seen; the others, refused before, are not checked. */
type CheckReply = (status: number, body: unknown) => void;

export const setReplyCheck = (response: Response, check: CheckReply): void => {
  response.locals.checkReply = check;
};

/** @throws the validator's error for a reply that breaks the contract (`--validate-responses on`) */
export const requireValidReply = (response: Response, status: number, body: unknown): void => {
  const check: CheckReply | undefined = response.locals.checkReply;
  check?.(status, body);
};

export const sendJson = (response: Response, status: number, body: unknown): void => {
  requireValidReply(response, status, body);
  response.status(status).type('json').send(JSON.stringify(body));
};
