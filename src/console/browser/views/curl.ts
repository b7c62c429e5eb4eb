/** A recorded call as a command line. */
import type { Schemas } from '../live/api.ts';

/** In single quotes, as every POSIX shell reads them. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Headers that curl sets itself. */
const OWN =
  /^(?:host|content-length|connection|accept-encoding|transfer-encoding|user-agent|origin|referer|sec-.*|accept-language|cookie)$/;

/** The journal holds no credentials, so the environment's own bearer stands in. */
export const toCurl = ({ request }: Schemas['Request'], environment: Schemas['Environment']): string => {
  const { method, url, headers, body } = request;
  const kept = Object.entries(headers).filter(([name]) => !OWN.test(name));
  const lines = kept.map(([name, value]) =>
    name === 'authorization' && /^Bearer/i.test(value)
      ? `-H ${quote(`Authorization: Bearer ${environment.access_token ?? 'TOKEN'}`)}`
      : `-H ${quote(`${name}: ${value}`)}`,
  );
  if (body !== undefined)
    lines.push(`--data-raw ${quote(typeof body === 'string' ? body : JSON.stringify(body))}`);
  return [`curl -X ${method} ${quote(new URL(url, location.origin).href)}`, ...lines].join(' \\\n  ');
};
