/** A server in front of a mock. It changes the mock's replies, so that they look like those from a faulty service. */
import type { IncomingMessage } from 'node:http';
import { serveHttp } from '../support/http-server.ts';

interface Passing {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  status: number;
  headers: Record<string, string>;
  /** The parsed body; undefined if the body is not JSON. */
  body: ReturnType<typeof JSON.parse>;
  /** The header `Authorization` that was sent. */
  readonly authorization: string;
}

/** Changes a reply in place. */
export type Alter = (reply: Passing) => unknown;

/** Starts the server. In replies, it replaces the mock's address with its own, so that links lead through it too. */
export const startAltered = (target: string, alter: Alter) =>
  serveHttp(async (request, response) => {
    const passing = await forward(target, request);
    alter(passing);
    response.writeHead(passing.status, passing.headers).end(JSON.stringify(passing.body));
  });

const OWN = ['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-encoding'];

const forward = async (target: string, request: IncomingMessage): Promise<Passing> => {
  const { method = 'GET', url = '/' } = request;
  const sent = Buffer.concat(await request.toArray());
  const passedOn = Object.entries(request.headers).filter(([name]) => !OWN.includes(name));
  const response = await fetch(target + url, {
    method,
    redirect: 'manual',
    headers: Object.fromEntries(passedOn) as Record<string, string>, // the suite sends no header twice
    ...(sent.length > 0 && { body: sent }),
  });
  const text = (await response.text()).replaceAll(target, `http://${request.headers.host}`);
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
  return {
    method,
    url,
    status: response.status,
    headers: Object.fromEntries([...response.headers].filter(([name]) => !OWN.includes(name))),
    body: isJson ? JSON.parse(text) : undefined,
    authorization: request.headers.authorization ?? '',
  };
};
