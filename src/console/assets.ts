/** The built files of the console: read and compressed when they are first asked for, then kept. */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

export interface Asset {
  readonly name: string;
  readonly type: string;
  /** Changes with the content. */
  readonly etag: string;
  readonly bytes: Buffer;
  readonly gzipped: Buffer;
}

export interface Assets {
  /** @returns undefined for a name that no file has @throws Error if the assets were never built */
  read(name: string): Promise<Asset | undefined>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** @param folder holds the files, and no folders */
export const createAssets = (folder: string): Assets => {
  const kept = new Map<string, Promise<Asset | undefined>>();
  return {
    read: (name) => {
      const known = kept.get(name) ?? readAsset(folder, name);
      if (TYPES[extname(name)] !== undefined) kept.set(name, known);
      known.catch(() => kept.delete(name));
      return known;
    },
  };
};

const compress = promisify(gzip);

const readAsset = async (folder: string, name: string): Promise<Asset | undefined> => {
  const type = TYPES[extname(name)];
  const bytes = type === undefined ? undefined : await readIfThere(join(folder, name));
  if (type === undefined || !bytes) {
    if (name !== 'index.html') return undefined;
    throw new Error(`The console is not built: ${folder} is empty. Run npm run build.`);
  }
  return {
    name,
    type,
    etag: `"${hash('sha1', bytes, 'base64url')}"`,
    bytes,
    gzipped: await compress(bytes),
  };
};

const readIfThere = async (file: string): Promise<Buffer | undefined> => {
  try {
    return await readFile(file);
  } catch {
    return undefined;
  }
};
