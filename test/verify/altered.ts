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
  readonly asked: Asked;
}

/** A request on its way to the mock. */
export interface Asked {
  readonly method: string;
  /** Path and query. */
  url: string;
  /** Parsed, or undefined for a body that is no JSON. */
  body: ReturnType<typeof JSON.parse>;
  readonly authorization: string | undefined;
}

/** Changes a request in place. */
export type Rewrite = (asked: Asked) => void;

/** Changes a reply in place; `break` ends the connection without one. */
export type Alter = (reply: Passing) => 'break' | undefined;

export interface AlteredServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Links lead through it as well. @param rewrite default: requests pass as they are */
export const startAltered = async (
  target: string,
  alter: Alter,
  rewrite: Rewrite = () => {},
): Promise<AlteredServer> => {
  const server = createServer(async (request, response) => {
    const passing = await forward(target, request, rewrite);
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

const forward = async (target: string, request: IncomingMessage, rewrite: Rewrite): Promise<Passing> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const { method = 'GET', url = '/' } = request;
  const bytes = Buffer.concat(chunks);
  const { authorization } = request.headers;
  const asked = { method, url, body: parse(bytes.toString()), authorization };
  const written = JSON.stringify(asked.body);
  rewrite(asked);
  const rewritten = JSON.stringify(asked.body);
  const sent = rewritten === written ? bytes : Buffer.from(rewritten); // bytes as they were, unless they were changed
  const {
    host: _host,
    connection: _connection,
    'transfer-encoding': _encoding,
    'content-length': _length,
    ...headers
  } = request.headers;
  const response = await fetch(target + asked.url, {
    method,
    redirect: 'manual',
    headers: headers as Record<string, string>, // none that the suite sends is repeated
    ...(sent.length > 0 && { body: sent }),
  });
  const kept: Record<string, string> = {};
  response.headers.forEach((value, name) => {
    if (
      !['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'content-encoding'].includes(name)
    )
      kept[name] = value;
  });
  const text = (await response.text()).replaceAll(target, `http://${request.headers.host}`);
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return {
    method,
    url,
    status: response.status,
    headers: kept,
    body: isJson ? parse(text) : undefined,
    asked,
  };
};

const parse = (text: string): ReturnType<typeof JSON.parse> => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** No control plane, as on a server that is no mock. */
export const withoutControl: Alter = (reply) => {
  if (!reply.url.startsWith('/_mock')) return undefined;
  reply.status = 404;
  reply.body = { message: 'no such page' };
  return undefined;
};
