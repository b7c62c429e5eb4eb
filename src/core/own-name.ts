/** Names of this machine, against names that another site can make mean this machine (DNS rebinding). */
import { isIP } from 'node:net';

/**
 * Whether a host cannot be rebound: an address is no name at all, and `localhost` with all below it is always this
 * machine, as every browser resolves it (RFC 6761, 6.3).
 * @param hostname as `URL` gives it: lower case, without a port, an IPv6 address in brackets
 */
export const cannotBeRebound = (hostname: string): boolean =>
  isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || hostname === 'localhost' || hostname.endsWith('.localhost');
