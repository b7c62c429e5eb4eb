/** Reads descriptors in all forms, also without the parts that SDKs leave out. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { create, type DescEnum, fromBinary, fromJson, toBinary } from '@bufbuild/protobuf';
import { base64Encode } from '@bufbuild/protobuf/wire';
import {
  type DescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { Code } from '@connectrpc/connect';
import { expect, test } from '@jest/globals';
import { startMock } from '#mock';
import { Place } from '../../src/engine/contract/members.ts';
import { bindMethods, fieldsInTemplate, nameOfMethod, readMethods } from '../../src/grpc/bind.ts';
import { readDescriptors } from '../../src/grpc/descriptors.ts';
import { createErrors } from '../../src/grpc/errors.ts';
import { nameValues, pairMembers, readNames, toFields, toMembers } from '../../src/grpc/message-members.ts';
import { toRegistry } from '../../src/grpc/registry.ts';
import { createTranscoder, unmappedNames } from '../../src/grpc/transcode.ts';
import { loadContract } from '../../src/service/document.ts';
import { temporaryFolder } from '../support/folder.ts';
import { DESCRIPTORS, messageNamed, REGISTRY } from './support.ts';

const work = temporaryFolder();

const SET = fromBinary(FileDescriptorSetSchema, readFileSync(DESCRIPTORS));
const CONTRACT = loadContract();

/** Writes a folder with a generated file for each file of the set. @param write makes the generated code */
const folderOf = (name: string, end: string, write: Write): string => {
  const folder = join(work, name, 'deep/er');
  mkdirSync(folder, { recursive: true });
  for (const file of SET.file) {
    const bytes = toBinary(FileDescriptorProtoSchema, file);
    writeFileSync(join(folder, `${file.name.replaceAll(/\W/g, '_')}${end}`), write(bytes));
  }
  writeFileSync(join(folder, `other${end}`), 'nothing of the kind');
  return join(work, name);
};

const boundOf = (path: string): readonly string[] =>
  bindMethods(readDescriptors([path]), CONTRACT)
    .filter(({ rules }) => rules.length > 0)
    .map(({ method }) => nameOfMethod(method));

const escapes = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => {
    if ('\n\r\t'.includes(String.fromCharCode(byte))) return ['\\t', '\\n', '', '', '\\r'][byte - 9];
    if (byte === 0x22 || byte === 0x27 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
    return byte >= 0x20 && byte < 0x7f
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, '0')}`;
  }).join('');

/** The text that protoc-gen-es embeds for a file. It has no JSON names and no imports. */
const embedded = (bytes: Uint8Array): string => {
  const proto = fromBinary(FileDescriptorProtoSchema, bytes);
  const bare = (message: DescriptorProto): void => {
    for (const field of message.field) field.jsonName = '';
    message.nestedType.forEach(bare);
  };
  proto.messageType.forEach(bare);
  proto.dependency = [];
  return base64Encode(toBinary(FileDescriptorProtoSchema, proto), 'std_raw');
};

type Write = (bytes: Uint8Array) => string;
const asModule: Write = (bytes) => `export const f = /*@__PURE__*/ fileDesc("${embedded(bytes)}", [file_x]);`;
const asCommonJs: Write = (bytes) =>
  `exports.f = (0, v2_1.fileDesc)("${Buffer.from(bytes).toString('base64')}");`;
const asPython: Write = (bytes) =>
  `DESCRIPTOR = _descriptor_pool.Default().AddSerializedFile(b'${escapes(bytes)}')\n_globals = globals()`;
const asOctals: Write = (bytes) =>
  `AddSerializedFile(b"${Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}")`;
const asOldPython: Write = (bytes) =>
  `  serialized_pb=_b('${escapes(bytes.slice(0, 100))}'\n  '${escapes(bytes.slice(100))}')`;

test.each([
  ['modules of protoc-gen-es', '_pb.js', asModule],
  ['sources of protoc-gen-es', '_pb.ts', asModule],
  ['CommonJS of protoc-gen-es', '_pb.cjs', asCommonJs],
  ['Python', '_pb2.py', asPython],
  ['old Python', '_pb2.py', asOldPython],
  ['Python in octals', '_pb2.py', asOctals],
])('the generated code of %s has the same methods as a descriptor set', (name, end, write) => {
  expect(boundOf(folderOf(name.replaceAll(' ', '-'), end, write))).toEqual(boundOf(DESCRIPTORS));
});

test('descriptors can be read even if the file that defines their options is missing', () => {
  const missing = Array.from(REGISTRY.files, ({ proto }) => proto.name);
  expect(missing).not.toContain('example/options.proto');
  const partial = join(work, 'partial.binpb');
  const file = SET.file.filter(({ name }) => name.endsWith('accounts.proto'));
  for (const one of file) {
    one.messageType = one.messageType.filter(({ name }) => name !== 'Connection');
    one.enumType = one.enumType.filter(({ name }) => name !== 'LogStatus');
  }
  writeFileSync(partial, toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file })));
  const read = readDescriptors([partial]);
  expect(read.getMessage('example.accounts.v1.Connection')?.fields).toEqual([]);
  const statuses = read.getEnum('example.accounts.v1.LogStatus')?.values;
  expect(statuses?.map(({ name, number }) => [name, number])).toEqual([['LogStatus_UNSPECIFIED', 0]]);
});

test.each([
  ['does-not-exist', 'cannot be read (ENOENT)'],
  ['empty', 'contains no descriptors of gRPC services'],
  ['text.txt', 'contains no descriptors of gRPC services'],
  ['unseen', 'contains no descriptors of gRPC services'],
])('a mock with descriptors from %s does not start, and the message says why', async (name, message) => {
  mkdirSync(join(work, 'empty'), { recursive: true });
  writeFileSync(join(work, 'text.txt'), 'hello');
  for (const folder of ['.cache', 'node_modules/other/']) {
    const hidden = join(work, 'unseen', folder);
    mkdirSync(hidden, { recursive: true });
    for (const [nth, one] of SET.file.entries())
      writeFileSync(join(hidden, `${nth}_pb.js`), asModule(toBinary(FileDescriptorProtoSchema, one)));
  }
  const path = join(work, name);
  const start = startMock({ port: 0, log: 'silent', scenario: 'empty', grpcDescriptors: [path] });
  await expect(start).rejects.toMatchObject({ message: expect.stringContaining(`${path} `) });
  await expect(start).rejects.toMatchObject({ message: expect.stringContaining(message) });
});

test('a oneof gets the first member of the reply that fits it, and a map of texts every value as a text', () => {
  const membersOf = (name: string) => pairMembers(messageNamed(name), undefined, new Map());
  const body = { oauth_token: { access_token: 'a' }, contoso_dwd: { subject: 's' } };
  expect(toFields(body, membersOf('AuthorizationDetails'))).toEqual({ oauth_token: { access_token: 'a' } });
  const metadata = { team: 'a', floor: 4, lead: true };
  expect(toFields({ metadata }, membersOf('Membership'))).toEqual({
    metadata: { team: 'a', floor: '4', lead: 'true' },
  });
});

test('a 64-bit number, which is a text in the JSON of protobuf, reaches the API as a number', () => {
  const message = messageNamed('ListConnectedAccountsResponse');
  const { document } = CONTRACT;
  const place = new Place([document.components.schemas.ConnectedAccountList]);
  const members = pairMembers(message, place, new Map());
  const fields = { total_size: '12', next_page_token: '12' };
  expect(toMembers(fields, members)).toEqual({ total_size: 12, next_page_token: '12' });
});

test('a value that the descriptors or the contract do not have is left out, and reported', () => {
  const members = pairMembers(messageNamed('ListAuthenticationRequestsRequest'), undefined, new Map());
  const lost: string[] = [];
  const { status } = toFields({ status: ['FAILED', 'OTHER'] }, members, (text) => void lost.push(text));
  expect(status).toEqual([expect.any(Number)]);
  expect(lost).toEqual([expect.stringContaining('has no value for OTHER, so it arrives empty.')]);
  const sent = { status: ['LOG_STATUS_UNSPECIFIED', 'LOG_STATUS_FAILED'] }; // the first means none
  expect(toMembers(sent, members, (text) => void lost.push(text))).toEqual({ status: ['FAILED'] });
  expect(lost).toHaveLength(1);
  toMembers({ status: ['LOG_STATUS_NEW'] }, members, (text) => void lost.push(text));
  expect(lost[1]).toMatch(
    /^The API has no value for LOG_STATUS_NEW of .*Request.status, so it was left out\./,
  );
});

test('where the contract lists no values, the value of an enum is found in any letter case', () => {
  const statuses = REGISTRY.getEnum('example.accounts.v1.LogStatus');
  const failed = statuses?.values.find(({ name }) => name === 'LOG_STATUS_FAILED');
  if (!statuses || !failed) throw new Error('No descriptor.');
  const mapped = nameValues(statuses, undefined, new Map([[failed.name, 'broken']]));
  expect(['broken', 'BROKEN'].map(mapped.toDescriptor)).toEqual([failed.number, failed.number]);
  const names = nameValues(statuses, undefined, new Map());
  expect(names.toContract('LOG_STATUS_FAILED')).toBe('FAILED');
  expect(['FAILED', 'failed', 'other'].map(names.toDescriptor)).toEqual([
    failed.number,
    failed.number,
    undefined,
  ]);
});

test.each<[string, readonly string[], Record<string, string>, readonly (string | undefined)[]]>([
  ['the prefix that all share is left out', ['KIND_OLD_A', 'KIND_B'], {}, ['OLD_A', 'B']],
  ['only the first can mean none', ['S_UNKNOWN', 'S_A_UNKNOWN'], {}, [undefined, 'A_UNKNOWN']],
  ['a name may be mapped without its prefix', ['S_A', 'S_B'], { B: 'C' }, ['A', 'C']],
])('of the values of an enum, %s: %j', (_rule, names, given, expected) => {
  const values = names.map((name, number) => ({ name, number }));
  const { toContract: read } = nameValues(
    { values } as unknown as DescEnum,
    undefined,
    new Map(Object.entries(given)),
  );
  expect(names.map(read)).toEqual(expected);
});

test('a variable for one segment of a path has its slashes escaped, and one for several segments keeps them', () => {
  const service = REGISTRY.getService('example.accounts.v1.CustomProviders');
  const method = service?.methods.find(({ name }) => name === 'DeleteCustomProvider');
  if (!method) throw new Error('No descriptor.');
  const message = fromJson(method.input, { key: { identifier: 'a/b c' } });
  const urlBy = (template: string): string => {
    const rule = { verb: 'DELETE', template, variables: fieldsInTemplate(template), ...NO_BODY };
    const languages = { contract: CONTRACT, names: new Map(), registry: REGISTRY };
    return createTranscoder({ method, annotated: [rule], rules: [] }, languages).toRequest(message).url;
  };
  const templates = ['/p/{key.identifier}', '/p/{key.identifier=*}', '/p/{key.identifier=**}', '/p'];
  expect(templates.map(urlBy)).toEqual([
    ...['/p/a%2Fb%20c', '/p/a%2Fb%20c', '/p/a/b%20c'],
    '/p?key.identifier=a%2Fb+c', // a member of a message in the query
  ]);
});

const NO_BODY = { body: undefined, responseBody: undefined, operation: undefined };

test('a file of names maps names of the descriptors to names of the contract, and a file without names is refused', () => {
  const file = join(work, 'names.yaml');
  writeFileSync(file, 'names:\n  CLOUD_ROLE: TRUSTED_IDP\n');
  expect([...readNames([file])]).toEqual([['CLOUD_ROLE', 'TRUSTED_IDP']]);
  for (const name of ['names.yml', 'names.JSON']) {
    writeFileSync(join(work, name), '{ "names": { "A": "B" } }');
    expect([...readMethods([DESCRIPTORS, join(work, name)], CONTRACT).names]).toEqual([['A', 'B']]);
  }
  for (const text of ['name: x\n', 'names: { A: B, C: 1 }', 'names: {}', '']) {
    writeFileSync(file, text);
    expect(() => readNames([file])).toThrow(`${file} contains no names. Write "names:"`);
  }
  expect(() => readNames([join(work, 'gone.yaml')])).toThrow(/gone.yaml cannot be used: the file /);
});

test('details of errors are sent as the message that has an error code and most of the parts of an error', () => {
  const messageOf = (name: string, ...fields: string[]) => ({
    name,
    field: fields.map((each, nth) => ({ name: each, number: nth + 1, type: 9, label: 1 })),
  });
  const messageType = [
    messageOf('Outcome', 'error_code'),
    messageOf('Failure', 'error_code', 'some_info'),
    messageOf('Part', 'some_info', 'more_info'),
  ];
  const file = create(FileDescriptorProtoSchema, { name: 'errors.proto', syntax: 'proto3', messageType });
  const toError = createErrors(toRegistry([file]), CONTRACT, new Map());
  const { details, code, rawMessage } = toError(418, '{"details":["x",{"error_code":"TEA"}]}', []);
  expect(details).toMatchObject([{ desc: { typeName: 'Failure' }, value: { errorCode: 'TEA' } }]);
  expect([code, rawMessage]).toEqual([Code.FailedPrecondition, 'The API returned the status 418.']);
  const refused = toError(401, '{"error":"invalid_client","error_description":"No such client."}', []);
  expect(refused).toMatchObject({ code: Code.Unauthenticated, rawMessage: 'No such client.' });
});

test('names that the contract does not have are listed in order, once each, except names in paths', () => {
  const methods = bindMethods(REGISTRY, CONTRACT);
  const languages = { contract: CONTRACT, names: new Map(), registry: REGISTRY };
  const lost = [
    ...['AUTHORIZATION_TYPE_CONTOSO_DWD', 'AUTHORIZATION_TYPE_NORTHWIND_OAUTH1'],
    ...['AuthorizationDetails.contoso_dwd', 'TYPE_CONTOSO_DWD', 'TYPE_NORTHWIND_OAUTH1'],
  ];
  const others = ['TrustedIdp.secret_access_key', 'TrustedIdp.session_token'];
  expect(unmappedNames(methods, languages)).toEqual([...lost, ...others]);
  expect(unmappedNames(methods, languages, true)).toEqual(lost);
});
