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
  /** @returns undefined for a name that no file has; all of them, where the assets were never built */
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
  const kept = new Map<string, Asset>();
  return {
    read: async (name) => {
      const asset = kept.get(name) ?? (await readAsset(folder, name));
      if (asset) kept.set(name, asset);
      return asset;
    },
  };
};

const compress = promisify(gzip);

const readAsset = async (folder: string, name: string): Promise<Asset | undefined> => {
  const type = TYPES[extname(name)];
  const bytes = type === undefined ? undefined : await readIfThere(join(folder, name));
  if (type === undefined || !bytes) return undefined;
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
