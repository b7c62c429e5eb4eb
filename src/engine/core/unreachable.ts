/** Why no reply came from a server, for the messages of everything that calls one. */

interface Why {
  readonly why: string;
  /** What to do; undefined if the reason alone does not say it. */
  readonly advice?: string;
}

const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/;
const NO_TLS = /^(?:EPROTO|ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG))$/;
const CUT = /^(?:ECONNRESET|UND_ERR_SOCKET)$/;

/** @param error what `fetch` or a socket failed with */
export const whyUnreachable = (error: unknown): Why => {
  const { name, cause = error } = Object(error);
  const { code = '', message = '' } = Object(cause);
  if (UNTRUSTED.test(code))
    return {
      why: `its certificate is not trusted (${code})`,
      advice:
        'Set NODE_EXTRA_CA_CERTS to the PEM file of the certificate, or of the authority that signed it.',
    };
  if (NO_TLS.test(code))
    return { why: `it speaks no TLS (${code})`, advice: 'Write http:// in its address.' };
  if (CUT.test(code))
    return {
      why: `it closed the connection (${code})`,
      advice: 'Check that the server is running, and write https:// in its address if it serves HTTPS.',
    };
  // The text of an error without a cause would show a password in the address.
  return { why: code || (cause === error && name === 'TypeError' ? 'the address cannot be used' : message) };
};
