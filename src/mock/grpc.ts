/** gRPC on the port of a mock; loaded on demand, since it is as much code as the rest of the mock. */
import { monotonicNow } from '../core/clock.ts';
import type { Http2 } from '../http/listener.ts';
import type { Parts } from './assemble.ts';
import type { Log } from './log.ts';

/** Opens gRPC for a mock. @throws Error for descriptors that cannot be read */
export const openGrpc = async (parts: Parts, descriptors: readonly string[]) => {
  const { contract, inProcess, onInternalError, log } = parts;
  const { createGrpc } = await import('../grpc/serve.ts');
  return createGrpc({
    contract,
    onInternalError,
    ask: inProcess.ask,
    descriptors,
    onUnserved: oncePerMinute(log),
  });
};

/**
 * Serves HTTP/2 for a mock without descriptors: answers HTTP/2 clients, and tells gRPC clients that descriptors are
 * missing.
 */
export const openHttp2OnDemand = (parts: Parts): Http2 => {
  let opened: Promise<Http2> | undefined;
  return {
    accept: (socket, requestTimeout) => {
      socket.on('error', () => socket.destroy()); // the client may disconnect while gRPC is loaded
      opened ??= openGrpc(parts, []).then(({ http2 }) => http2);
      void opened.then((http2) => http2.accept(socket, requestTimeout));
    },
    close: () => void opened?.then((http2) => http2.close()),
  };
};

const MINUTE = 60_000;
const MOST_CLIENTS = 1_000;

/** Logs each client at most once a minute, since SDKs keep trying. */
const oncePerMinute = (log: Log) => {
  const said = new Map<string, number>();
  return (message: string, address: string): void => {
    const now = monotonicNow();
    if (now - (said.get(address) ?? -MINUTE) < MINUTE) return;
    if (said.size === MOST_CLIENTS) said.clear();
    said.set(address, now);
    log({ event: 'grpc_unserved', address, message });
  };
};
