/** The certificate of HTTPS and its private key, read from their files. */
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

/** Files in PEM. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/** @throws Error that names the file that cannot be read, or both if they are no certificate and its key */
export const readCertificate = (files: CertificateFiles): { readonly cert: Buffer; readonly key: Buffer } => {
  const read = {
    cert: readPem('certificate', files.cert),
    key: readPem('private key', files.key),
  };
  try {
    createSecureContext(read);
  } catch (cause) {
    throw new Error(
      `${files.cert} and ${files.key} are no certificate and its private key in PEM. Give the certificate first, and the key that belongs to it.`,
      { cause },
    );
  }
  return read;
};

const readPem = (noun: string, file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException; // what the file system throws
    throw new Error(`The ${noun} ${file} cannot be read (${code}). Name a file in PEM that exists.`, {
      cause,
    });
  }
};
