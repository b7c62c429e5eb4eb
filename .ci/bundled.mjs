/** Which packages have code in a bundle, from esbuild's metafile. LICENSES.txt and sbom.cdx.json list them. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isLeftOut } from './bundle.mjs';

const PATCHES = '.ci/patches';
const FOLDER = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** @returns a package for each folder that still has code in the bundle after unused code was removed */
export const packagesIn = async ({ outputs }) => {
  const files = Object.values(outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).filter((file) => inputs[file].bytesInOutput > 0 && !isLeftOut(file)),
  );
  const folders = new Set(files.flatMap((file) => FOLDER.exec(file)?.[0] ?? []));
  const patches = await readdir(PATCHES);
  return Promise.all([...folders].sort().map((folder) => readPackage(folder, patches)));
};

const readPackage = async (folder, patches) => {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const { name, version, main, licenses, license = licenses?.[0]?.type } = manifest;
  const patch = patches.find((file) => file === `${name.replace('/', '+')}+${version}.patch`);
  return { folder, name, version, main, license, patch: patch && join(PATCHES, patch) };
};

/** Audit and update tools read `dependencies`, so each package that our code imports into a bundle must be there. */
export const requireDependencies = async ({ inputs }) => {
  const { dependencies } = JSON.parse(await readFile('package.json', 'utf8'));
  const own = Object.entries(inputs).filter(([file]) => file.startsWith('src/'));
  const imported = own.flatMap(([, { imports }]) =>
    imports.flatMap(({ path }) => FOLDER.exec(path)?.[0] ?? []),
  );
  const names = new Set(imported.map((folder) => folder.replace(/^.*node_modules\//, '')));
  const missing = [...names].filter((name) => dependencies[name] === undefined);
  if (missing.length > 0) throw new Error(`Move to "dependencies" in package.json: ${missing.join(', ')}.`);
};
