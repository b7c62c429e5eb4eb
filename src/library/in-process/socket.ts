/** A connection that leads nowhere: messages need one to speak of, and destroying it tells both sides that it is over. */
import { Duplex } from 'node:stream';

class InProcessSocket extends Duplex {
  /** Read by Express and by whoever asks where a call came from. */
  readonly remoteAddress = '127.0.0.1';

  override _read(): void {}

  /** What node's response writes here was taken before, where it was still a body and not yet bytes of a connection. */
  override _write(_chunk: unknown, _encoding: unknown, done: () => void): void {
    done();
  }

  setTimeout(): this {
    return this;
  }
}

export const createSocket = (): InProcessSocket => new InProcessSocket();
