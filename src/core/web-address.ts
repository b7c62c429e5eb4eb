/** Addresses that somebody is sent to. */
import { domainToUnicode } from 'node:url';

/**
 * Whether a browser can go to a URL: it has a host that can be a name. Newer Node takes any name of ASCII letters for
 * one, also `xn--`, which is no name in any script; such a label stays as it is when it is decoded.
 */
export const isWebAddress = (url: string): boolean =>
  URL.canParse(url) && !/(?:^|\.)xn--/.test(domainToUnicode(new URL(url).hostname));
