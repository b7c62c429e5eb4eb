/** A server in front of a mock that alters what passes through: the mock as somebody else might have built it. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Passing {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  status: number;
  headers: Record<string, string>;
  /** Parsed, or undefined for a body that is no JSON. */
  body: ReturnType<typeof JSON.parse>;
}

/** Changes a reply in place; `break` ends the connection without one. */
export type Alter = (reply: Passing) => 'break' | undefined;

export interface AlteredServer {
  readonly url: string;
  close(): Promise<void>;
}

export const startAltered = async (target: string, alter: Alter): Promise<AlteredServer> => {
  const server = createServer(async (request, response) => {
    const passing = await forward(target, request);
    if (alter(passing) === 'break') {
      request.socket.destroy();
      return;
    }
    response.writeHead(passing.status, passing.headers);
    response.end(passing.body === undefined ? '' : JSON.stringify(passing.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

const forward = async (target: string, request: IncomingMessage): Promise<Passing> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const { method = 'GET', url = '/' } = request;
  const {
    host: _host,
    connection: _connection,
    'transfer-encoding': _encoding,
    'content-length': _length,
    ...headers
  } = request.headers;
  const response = await fetch(target + url, {
    method,
    redirect: 'manual',
    headers: headers as Record<string, string>, // none that the suite sends is repeated
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  });
  const kept: Record<string, string> = {};
  response.headers.forEach((value, name) => {
    if (
      !['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'content-encoding'].includes(name)
    )
      kept[name] = value;
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return {
    method,
    url,
    status: response.status,
    headers: kept,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
};

/** No control plane, as on a server that is no mock. */
export const withoutControl: Alter = (reply) => {
  if (!reply.url.startsWith('/_mock')) return undefined;
  reply.status = 404;
  reply.body = { message: 'no such page' };
  return undefined;
};
