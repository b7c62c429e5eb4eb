/** Serves HTTP/1.1 and HTTP/2 clients on one port. */
import type { Socket } from 'node:net';
import type { SharePort } from '../engine/http/listener.ts';

export interface Http2 {
  accept(socket: Socket): void;
  /** Stops accepting calls. Each connection closes when its last call has been answered. */
  close(): void;
}

/**
 * Passes HTTP/2 clients on. Over TLS, ALPN tells the version; without TLS, the first bytes do.
 * A TLS client that supports both gets HTTP/1.1, since only gRPC clients need HTTP/2.
 * @param openHttp2 called for the first one
 */
export const withHttp2 =
  (openHttp2: () => Promise<Http2>): SharePort =>
  (server, isTls) => {
    let opened: Promise<Http2> | undefined;
    const serveHttp2 = (socket: Socket): void => {
      socket.on('error', () => socket.destroy()); // a client that disconnects before `accept` is called causes an error
      opened ??= openHttp2();
      opened.then((http2) => http2.accept(socket)).catch(() => socket.destroy());
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
    return () => void opened?.then((http2) => http2.close()).catch(() => {}); // its clients are disconnected already
  };

const PREFACE = 'PRI * HTTP/2.0\r\n';

const readBeginning = (socket: Socket, serve: (isHttp2: boolean) => void): void => {
  let begun = Buffer.alloc(0);
  const giveUp = (): void => void socket.destroy();
  const read = (): void => {
    begun = Buffer.concat([begun, socket.read() ?? begun.subarray(0, 0)]);
    const beginning = begun.toString('latin1', 0, PREFACE.length);
    if (PREFACE.startsWith(beginning) && beginning !== PREFACE) return; // too few bytes yet to tell the HTTP version
    socket.off('readable', read).off('end', giveUp).off('error', giveUp);
    socket.unshift(begun);
    serve(beginning === PREFACE);
  };
  socket.on('readable', read).on('end', giveUp).on('error', giveUp);
};
