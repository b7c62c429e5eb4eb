/** Sends long lists item by item, so that other calls are answered in between. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';

/** Writes an object as JSON, piece by piece. The object has one empty list, which gets the `items`. */
export function* inPieces<Item>(
  whole: object,
  items: Iterable<Item>,
  toItem: (item: Item) => unknown = (item) => item,
): Iterable<string> {
  const [head = '', tail = ''] = JSON.stringify(whole).split('[]');
  let before = `${head}[`;
  for (const item of items) {
    yield before + JSON.stringify(toItem(item));
    before = ',';
  }
  yield `${before === ',' ? '' : before}]${tail}`;
}

/** Sends a text in pieces, as fast as the client reads; stops if `signal` aborts. */
export const sendPieces = async (
  response: ServerResponse,
  pieces: Iterable<string>,
  signal: AbortSignal,
): Promise<void> => {
  try {
    for (const piece of pieces) {
      if (!response.write(piece)) await once(response, 'drain', { signal });
      await setImmediate(undefined, { signal });
    }
    response.end();
  } catch (error) {
    if (!signal.aborted) throw error;
    response.destroy();
  }
};
