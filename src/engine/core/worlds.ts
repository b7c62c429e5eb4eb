/**
 * Numbers the worlds of all environments in the order in which they begin. A world of an environment ends when its state is
 * replaced as a whole; a call belongs to the world in which it began (behaviour E8).
 */
let newest = 0;

export const beginWorld = (): number => {
  newest += 1;
  return newest;
};

/** The number of the newest world. A call that keeps it knows which worlds began after the call. */
export const newestWorld = (): number => newest;
