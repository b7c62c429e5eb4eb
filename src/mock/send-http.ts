/**
 * Sends a call with Node's own HTTP client, not with `fetch`: in test environments such as jsdom, `fetch` is missing,
 * or is the DOM's and requires CORS.
 */
import type { IncomingMessage, request as requestHttp } from 'node:http';
import type { Message, TextReply } from './ask.ts';

/** Sends a call. @throws Error if there is no connection, or it breaks before the answer is complete */
export const sendHttp = async (address: URL, message: Message): Promise<TextReply> => {
  // Imported on the first call; TLS only if it is needed.
  const { request } = await (address.protocol === 'https:' ? import('node:https') : import('node:http'));
  return sendBy(request, address, message);
};

const sendBy = (request: typeof requestHttp, address: URL, message: Message): Promise<TextReply> =>
  new Promise((resolve, reject) => {
    const { method, headers, body } = message;
    const call = request(address, { method, headers }, (response) => {
      readText(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject);
    });
    call.once('error', (error: NodeJS.ErrnoException) => {
      // The server closed an idle connection just when it was used again, so nothing was sent.
      if (call.reusedSocket && error.code === 'ECONNRESET')
        sendBy(request, address, message).then(resolve, reject);
      else reject(error);
    });
    call.end(body);
  });

const readText = async (response: IncomingMessage): Promise<string> => {
  response.setEncoding('utf8');
  let text = '';
  for await (const part of response) text += part;
  return text;
};
