/** Why no reply came from a server, for the messages of everything that calls one. */

const REASONS = [
  {
    codes: /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/,
    why: 'its certificate is not trusted',
    advice: 'Set NODE_EXTRA_CA_CERTS to the PEM file of the certificate, or of the authority that signed it.',
  },
  {
    codes: /^(?:EPROTO|ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG))$/,
    why: 'it speaks no TLS',
    advice: 'Write http:// in its address.',
  },
  {
    codes: /^(?:ECONNRESET|UND_ERR_SOCKET)$/,
    why: 'it closed the connection',
    advice: 'Check that the server is running, and write https:// in its address if it serves HTTPS.',
  },
];

/** @param error what `fetch` or a socket failed with @returns why, and what to do, if the reason alone does not say it */
export const whyUnreachable = (error: unknown): { readonly why: string; readonly advice?: string } => {
  const { name, cause = error } = Object(error);
  const { code = '', message = '' } = Object(cause);
  const known = REASONS.find(({ codes }) => codes.test(code));
  if (known) return { why: `${known.why} (${code})`, advice: known.advice };
  // The text of an error without a cause would show a password in the address.
  return { why: code || (cause === error && name === 'TypeError' ? 'the address cannot be used' : message) };
};
