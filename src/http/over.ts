/** The end of a response, however it comes. */
import type { ServerResponse } from 'node:http';

/**
 * Calls once, when a response was sent or its connection was broken off.
 * @param onOver receives the status; 0 if the answer did not get out
 */
export const whenOver = (response: ServerResponse, onOver: (status: number) => void): void => {
  let isOver = false;
  const end = (status: number): void => {
    if (isOver) return;
    isOver = true;
    onOver(status);
  };
  response.once('finish', () => end(response.statusCode));
  response.once('close', () => end(0));
};
