/** Tells when the mock has almost as many open files and connections as the system allows. */
import type { Socket } from 'node:net';
import { readRegularFile } from '../../core/files.ts';

/** So many descriptors below the limit, a connection counts as one of the last. */
const LAST = 4;

/** Returns a function to call for each connection, and when one could not be accepted. Linux closes those silently. */
export const crowdTeller = (onCrowded: ((message: string) => void) | undefined) => {
  const most = mostOpenFiles();
  let isTold = false;
  return (socket?: Socket): void => {
    const { fd } = (socket as { _handle?: { fd?: number } } | undefined)?._handle ?? { fd: most }; // Node has no other way to learn it
    if (isTold || (fd ?? 0) < most - LAST) return;
    isTold = true;
    onCrowded?.(
      `The mock has almost as many open files and connections as the system allows (${most}). It closes further connections until others end. Raise the limit with ulimit -n.`,
    );
  };
};

const mostOpenFiles = (): number => {
  const read = readRegularFile('/proc/self/limits');
  const [, most] = /^Max open files +(\d+)/m.exec('bytes' in read ? String(read.bytes) : '') ?? [];
  return Number(most ?? Infinity);
};
