/** Writes the packages whose code is in a bundle as CycloneDX, which audit tools read. */
import { readFile, writeFile } from 'node:fs/promises';
import { packagesIn } from './bundled.mjs';

/** @param path the file to write @param metafile of esbuild's result @param included another such file, to include */
export const writeSbom = async (path, { metafile }, included) => {
  const { name, version, license } = JSON.parse(await readFile('package.json', 'utf8'));
  const inside = included ? JSON.parse(await readFile(included, 'utf8')).components : [];
  const components = [...(await Promise.all((await packagesIn(metafile)).map(describe))), ...inside];
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: component('application', { name, version, license }) },
    components: [...new Map(components.map((one) => [one.purl, one])).values()],
  };
  await writeFile(path, `${JSON.stringify(bom, null, 2)}\n`);
};

const describe = async ({ patch, ...from }) => ({
  ...component('library', from),
  ...(patch && {
    pedigree: {
      patches: [{ type: 'unofficial', diff: { text: { content: await readFile(patch, 'utf8') } } }],
    },
  }),
});

const component = (type, { name, version, license }) => {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { type, 'bom-ref': purl, name, version, licenses: [{ expression: license }], purl };
};
