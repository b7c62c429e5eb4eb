/**
 * One HTTP call over node's own client. Not `fetch`: test environments such as jsdom have none, or one of their own that
 * asks for CORS.
 */
import type { IncomingMessage, request as requestHttp } from 'node:http';
import type { Message, TextReply } from './ask.ts';

/** @throws Error if there is no connection, or it breaks off before the answer is whole */
export const send = async (address: URL, message: Message): Promise<TextReply> => {
  // Loaded when the first call is made, and TLS only for it.
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
      // The server let an idle connection go at the moment it was used again; nothing was sent.
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
