/** Serves HTTP/1.1 and HTTP/2 clients on one port. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { PortSharing } from '../server/http/listener.ts';

/** Times in milliseconds. */
interface Patience {
  readonly requestTimeout: number;
  readonly unreadTimeout: number;
}

const PATIENCE: Patience = { requestTimeout: 60_000, unreadTimeout: 60_000 };

export interface Http2 {
  accept(socket: Socket, patience: Patience): void;
  /** Stops accepting calls. Each connection closes when its last call has been answered. */
  close(): void;
}

/**
 * Passes HTTP/2 clients on. Over TLS, ALPN tells the version; without TLS, the first bytes do.
 * @param openHttp2 called for the first one @param prefersHttp2 whether a TLS client that supports both versions gets it
 */
export const withHttp2 = (openHttp2: () => Promise<Http2>, prefersHttp2 = false): PortSharing => ({
  protocols: prefersHttp2 ? ['h2', 'http/1.1'] : ['http/1.1', 'h2'],
  share: (...given) => sharePort(openHttp2, ...given),
});

const sharePort = (openHttp2: () => Promise<Http2>, server: Server, isTls: boolean): (() => void) => {
  let opened: Promise<Http2> | undefined;
  const serveHttp2 = (socket: Socket): void => {
    socket.on('error', () => socket.destroy()); // a client that disconnects before `accept` is called causes an error
    opened ??= openHttp2();
    void opened.then((http2) => http2.accept(socket, PATIENCE));
  };
  const event = isTls ? 'secureConnection' : 'connection';
  const serveHttp1 = server.listeners(event);
  server.removeAllListeners(event);
  server.on(event, (socket: Socket & { readonly alpnProtocol?: string | false }) => {
    const serve = (isHttp2: boolean): void => {
      if (isHttp2) serveHttp2(socket);
      else for (const listener of serveHttp1) Reflect.apply(listener, server, [socket]);
    };
    if (isTls) serve(socket.alpnProtocol === 'h2');
    else readBeginning(socket, serve);
  });
  return () => void opened?.then((http2) => http2.close());
};

const PREFACE = 'PRI * HTTP/2.0\r\n';

const readBeginning = (socket: Socket, serve: (isHttp2: boolean) => void): void => {
  let begun = Buffer.alloc(0);
  const giveUp = (): void => void socket.destroy();
  // If the process stood still, the timer ends before what arrived meanwhile is read, so this waits for one more turn.
  const giveUpLate = (): void => void setImmediate(() => isServed || giveUp());
  let isServed = false;
  const read = (): void => {
    begun = Buffer.concat([begun, socket.read() ?? begun.subarray(0, 0)]);
    const beginning = begun.toString('latin1', 0, PREFACE.length);
    if (PREFACE.startsWith(beginning) && beginning !== PREFACE) return; // too few bytes yet to tell the HTTP version
    socket
      .off('readable', read)
      .off('end', giveUp)
      .off('timeout', giveUpLate)
      .off('error', giveUp)
      .setTimeout(0);
    isServed = true;
    socket.unshift(begun);
    serve(beginning === PREFACE);
  };
  socket
    .on('readable', read)
    .on('end', giveUp)
    .on('error', giveUp)
    .setTimeout(PATIENCE.requestTimeout, giveUpLate);
};
