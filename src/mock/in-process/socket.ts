/** A connection that leads nowhere: messages need one to speak of, and destroying it tells both sides that it is over. */
import { Duplex } from 'node:stream';

class InProcessSocket extends Duplex {
  readonly remoteAddress = '127.0.0.1';

  /**
   * What node's response writes here was taken before, where it was still a body and not yet bytes of a connection. So
   * there is nothing to hold, and nothing to wait for.
   */
  override write(_chunk: unknown, encodingOrDone?: unknown, done: unknown = encodingOrDone): boolean {
    if (typeof done === 'function') done();
    return true;
  }

  override _read(): void {}

  setTimeout(): this {
    return this;
  }
}

export const createSocket = (): InProcessSocket => new InProcessSocket();
