/** Runs the commands of the guide's page on gRPC as written, with an SDK that ships code of protoc-gen-es. */
import { readFileSync } from 'node:fs';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { afterAll, expect, test } from '@jest/globals';
import { type Block, createRunner, isCommand, readPages } from '../support/pages.ts';
import { DESCRIPTORS } from './support.ts';

const runner = createRunner();
afterAll(() => runner.remove());

const SDK: readonly Block[] = fromBinary(FileDescriptorSetSchema, readFileSync(DESCRIPTORS)).file.map(
  (file) => {
    const code = Buffer.from(toBinary(FileDescriptorProtoSchema, file)).toString('base64');
    const name = `node_modules/your-sdk/${file.name.replace('.proto', '_pb.js')}`;
    return { language: 'js', options: { name }, text: `export const file = fileDesc("${code}");\n`, line: 0 };
  },
);

test('every command on the gRPC page works as the page says', async () => {
  const page = readPages().find(({ file }) => file === 'src/guide/grpc.md');
  const outcomes = await runner.run({ file: 'grpc.md', blocks: [...SDK, ...(page?.blocks ?? [])] });
  const commands = page?.blocks.filter(isCommand) ?? [];
  const ran = commands.flatMap((block) => outcomes.get(block) ?? []);
  expect(ran.map(({ code }) => code)).toEqual(ran.map(() => 0));
  expect(ran.length).toBeGreaterThanOrEqual(commands.filter(({ options }) => !options.needs).length);
  const listed = commands.find(({ text }) => text.startsWith('npx ca-mock list'));
  expect(listed && outcomes.get(listed)?.output).toMatch(
    /ConnectedAccounts\/ListConnectedAccounts +listConnectedAccounts/,
  );
});
