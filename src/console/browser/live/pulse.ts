/** Many signals in, few out: at once for the first, then at most one for every `interval` milliseconds. */
export const createPulse = (interval: number, beat: () => void): { signal(): void; stop(): void } => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWaiting = false;
  const rest = (): void => {
    timer = setTimeout(() => {
      timer = undefined;
      if (!isWaiting) return;
      isWaiting = false;
      beat();
      rest();
    }, interval);
  };
  return {
    signal: () => {
      if (timer !== undefined) {
        isWaiting = true;
        return;
      }
      beat();
      rest();
    },
    stop: () => clearTimeout(timer),
  };
};
