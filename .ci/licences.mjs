/**
 * Writes the licences of the packages whose code is in the build. Most licences require that each copy includes them.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packagesIn } from './bundled.mjs';

/** @param path the file to write @param metafile of esbuild's result */
export const writeLicences = async (path, { metafile }) => {
  const texts = await Promise.all((await packagesIn(metafile)).map(readLicence));
  await writeFile(path, `The program carries code of these packages.\n\n${[...new Set(texts)].join('\n')}`);
};

const readLicence = async ({ folder, name, version, license, main, patch }) => {
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|notice)(\.|$)/i.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  if (texts.length === 0) texts.push(await readHeader(join(folder, main)), await readFile(APACHE, 'utf8'));
  if (patch) texts.unshift(`This copy is changed by ${patch}; sbom.cdx.json has the change.\n`);
  return [`==== ${name} ${version} (${license}) ====\n`, ...texts].join('\n');
};

/** The licence text for a package without a licence file whose files refer to this licence. */
const APACHE = 'node_modules/typescript/LICENSE.txt';

const readHeader = async (file) => {
  const [header] = /^(?:\/\/.*\n)+/m.exec(await readFile(file, 'utf8')) ?? [];
  if (!header?.includes('Apache License, Version 2.0')) throw new Error(`${file} does not say its licence.`);
  return header;
};
