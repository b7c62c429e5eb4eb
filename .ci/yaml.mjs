/** Writes the YAML files of the package as JSON, each with the text that it comes from (src/openapi/package-root.ts). */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { parse } from 'yaml';

/** The JSON of each text that was parsed, since parsing takes half a second. */
const known = new Map();

const toJson = (text) => {
  if (!known.has(text)) known.set(text, JSON.stringify(parse(text)));
  return known.get(text);
};

/** @param path the file to write */
export const writeYamlAsJson = async (path) => {
  const fixtures = (await readdir('fixtures')).filter((name) => name.endsWith('.yaml'));
  const files = ['openapi.yaml', 'src/control/control.yaml', ...fixtures.map((name) => `fixtures/${name}`)];
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  await writeFile(path, JSON.stringify(texts.map((text) => [text, toJson(text)])));
};
