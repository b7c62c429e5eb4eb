/** Services that gRPC tools expect of every server: `grpc.health.v1`, and both versions of server reflection. */
import {
  type DescFile,
  type DescMessage,
  type DescService,
  type FileRegistry,
  fromJson,
  type JsonObject,
  type Message,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { base64Encode } from '@bufbuild/protobuf/wire';
import { type FileDescriptorProto, FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import {
  Code,
  ConnectError,
  type ConnectRouter,
  type HandlerContext,
  type ServiceImpl,
} from '@connectrpc/connect';
import { isJsonObject } from '../contract/document.ts';
import { decodeFile, toRegistry } from './registry.ts';

/** Adds the health and reflection services to the router. Clients can ask them about the services in `sdkTypes`. */
export const routeStandardServices = (router: ConnectRouter, sdkTypes: FileRegistry): void => {
  const registries = [sdkTypes, STANDARD];
  const services = registries.flatMap((registry) =>
    Array.from(registry).flatMap((type) => (type.kind === 'service' ? [type.typeName] : [])),
  );
  for (const type of STANDARD) {
    if (type.kind !== 'service') continue;
    const handlers: object = type.name === 'Health' ? health(services) : reflection(registries, services);
    router.service(type, handlers as Partial<ServiceImpl<DescService>>); // the cast is safe: `handlers` has a function for each method of the service
  }
};

const health = (services: readonly string[]) => {
  const isKnown = ({ service = '' }: JsonObject): boolean =>
    service === '' || services.includes(String(service));
  const serving = { status: 'SERVING' };
  return {
    check: (request: Message, { method }: HandlerContext) => {
      const asked = readJson(method.input, request);
      if (!isKnown(asked)) throw new ConnectError(`There is no service ${asked.service}.`, Code.NotFound);
      return fromJson(method.output, serving);
    },
    /** Sends one answer and then only waits, because the status never changes. */
    async *watch(request: Message, { method, signal }: HandlerContext) {
      const asked = readJson(method.input, request);
      yield fromJson(method.output, isKnown(asked) ? serving : { status: 'SERVICE_UNKNOWN' });
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  };
};

const reflection = (registries: readonly FileRegistry[], services: readonly string[]) => ({
  async *serverReflectionInfo(requests: AsyncIterable<Message>, { method }: HandlerContext) {
    for await (const request of requests) {
      const asked = readJson(method.input, request);
      const { host = '' } = asked;
      const answer = answerReflection(registries, services, asked);
      yield fromJson(method.output, { validHost: host, originalRequest: asked, ...answer });
    }
  },
});

const answerReflection = (
  registries: readonly FileRegistry[],
  services: readonly string[],
  { fileByFilename, fileContainingSymbol, listServices, allExtensionNumbersOfType: type }: JsonObject,
): JsonObject => {
  if (listServices !== undefined)
    return { listServicesResponse: { service: services.map((name) => ({ name })) } };
  if (type !== undefined) return { allExtensionNumbersResponse: { baseTypeName: type } };
  for (const registry of registries) {
    const file =
      fileByFilename === undefined
        ? findSymbol(registry, String(fileContainingSymbol))
        : registry.getFile(String(fileByFilename));
    if (!file) continue;
    const fileDescriptorProto = Array.from(withDependencies(file), ({ proto }) =>
      base64Encode(toBinary(FileDescriptorProtoSchema, proto)),
    );
    return { fileDescriptorResponse: { fileDescriptorProto } };
  }
  const wanted = fileByFilename ?? fileContainingSymbol ?? 'the extension';
  return {
    errorResponse: { errorCode: Code.NotFound, errorMessage: `The descriptors do not have ${wanted}.` },
  };
};

/** The file that declares a type, a method, a field or an enum value. */
const findSymbol = (registry: FileRegistry, symbol: string): DescFile | undefined => {
  for (let name = symbol; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
    const type = registry.get(name);
    if (type) return type.file;
  }
  return undefined;
};

const withDependencies = (file: DescFile, found = new Set<DescFile>()): Set<DescFile> => {
  found.add(file);
  for (const dependency of file.dependencies) if (!found.has(dependency)) withDependencies(dependency, found);
  return found;
};

const readJson = (descriptor: DescMessage, message: Message): JsonObject => {
  const json = toJson(descriptor, message);
  return isJsonObject(json) ? json : {};
};

/** The compiled `grpc/health/v1/health.proto`. */
const HEALTH =
  'ChtncnBjX2hlYWx0aC92MS9oZWFsdGgucHJvdG8SDmdycGMuaGVhbHRoLnYxIiUKEkhlYWx0aENoZWNrUmVxdWVzdBIPCgdzZXJ2aWNlGAEgASgJIqkBChNIZWFsdGhDaGVja1Jlc3BvbnNlEkEKBnN0YXR1cxgBIAEoDjIxLmdycGMuaGVhbHRoLnYxLkhlYWx0aENoZWNrUmVzcG9uc2UuU2VydmluZ1N0YXR1cyJPCg1TZXJ2aW5nU3RhdHVzEgsKB1VOS05PV04QABILCgdTRVJWSU5HEAESDwoLTk9UX1NFUlZJTkcQAhITCg9TRVJWSUNFX1VOS05PV04QAyITChFIZWFsdGhMaXN0UmVxdWVzdCKuAQoSSGVhbHRoTGlzdFJlc3BvbnNlEkIKCHN0YXR1c2VzGAEgAygLMjAuZ3JwYy5oZWFsdGgudjEuSGVhbHRoTGlzdFJlc3BvbnNlLlN0YXR1c2VzRW50cnkaVAoNU3RhdHVzZXNFbnRyeRILCgNrZXkYASABKAkSMgoFdmFsdWUYAiABKAsyIy5ncnBjLmhlYWx0aC52MS5IZWFsdGhDaGVja1Jlc3BvbnNlOgI4ATL9AQoGSGVhbHRoElAKBUNoZWNrEiIuZ3JwYy5oZWFsdGgudjEuSGVhbHRoQ2hlY2tSZXF1ZXN0GiMuZ3JwYy5oZWFsdGgudjEuSGVhbHRoQ2hlY2tSZXNwb25zZRJNCgRMaXN0EiEuZ3JwYy5oZWFsdGgudjEuSGVhbHRoTGlzdFJlcXVlc3QaIi5ncnBjLmhlYWx0aC52MS5IZWFsdGhMaXN0UmVzcG9uc2USUgoFV2F0Y2gSIi5ncnBjLmhlYWx0aC52MS5IZWFsdGhDaGVja1JlcXVlc3QaIy5ncnBjLmhlYWx0aC52MS5IZWFsdGhDaGVja1Jlc3BvbnNlMAFiBnByb3RvMw==';
/** The compiled `grpc/reflection/v1alpha/reflection.proto`. */
const REFLECTION =
  'CihncnBjX3JlZmxlY3Rpb24vdjFhbHBoYS9yZWZsZWN0aW9uLnByb3RvEhdncnBjLnJlZmxlY3Rpb24udjFhbHBoYSKKAgoXU2VydmVyUmVmbGVjdGlvblJlcXVlc3QSDAoEaG9zdBgBIAEoCRIaChBmaWxlX2J5X2ZpbGVuYW1lGAMgASgJSAASIAoWZmlsZV9jb250YWluaW5nX3N5bWJvbBgEIAEoCUgAEk4KGWZpbGVfY29udGFpbmluZ19leHRlbnNpb24YBSABKAsyKS5ncnBjLnJlZmxlY3Rpb24udjFhbHBoYS5FeHRlbnNpb25SZXF1ZXN0SAASJwodYWxsX2V4dGVuc2lvbl9udW1iZXJzX29mX3R5cGUYBiABKAlIABIXCg1saXN0X3NlcnZpY2VzGAcgASgJSABCEQoPbWVzc2FnZV9yZXF1ZXN0IkUKEEV4dGVuc2lvblJlcXVlc3QSFwoPY29udGFpbmluZ190eXBlGAEgASgJEhgKEGV4dGVuc2lvbl9udW1iZXIYAiABKAUi0QMKGFNlcnZlclJlZmxlY3Rpb25SZXNwb25zZRISCgp2YWxpZF9ob3N0GAEgASgJEkoKEG9yaWdpbmFsX3JlcXVlc3QYAiABKAsyMC5ncnBjLnJlZmxlY3Rpb24udjFhbHBoYS5TZXJ2ZXJSZWZsZWN0aW9uUmVxdWVzdBJTChhmaWxlX2Rlc2NyaXB0b3JfcmVzcG9uc2UYBCABKAsyLy5ncnBjLnJlZmxlY3Rpb24udjFhbHBoYS5GaWxlRGVzY3JpcHRvclJlc3BvbnNlSAASWgoeYWxsX2V4dGVuc2lvbl9udW1iZXJzX3Jlc3BvbnNlGAUgASgLMjAuZ3JwYy5yZWZsZWN0aW9uLnYxYWxwaGEuRXh0ZW5zaW9uTnVtYmVyUmVzcG9uc2VIABJOChZsaXN0X3NlcnZpY2VzX3Jlc3BvbnNlGAYgASgLMiwuZ3JwYy5yZWZsZWN0aW9uLnYxYWxwaGEuTGlzdFNlcnZpY2VSZXNwb25zZUgAEkAKDmVycm9yX3Jlc3BvbnNlGAcgASgLMiYuZ3JwYy5yZWZsZWN0aW9uLnYxYWxwaGEuRXJyb3JSZXNwb25zZUgAQhIKEG1lc3NhZ2VfcmVzcG9uc2UiNwoWRmlsZURlc2NyaXB0b3JSZXNwb25zZRIdChVmaWxlX2Rlc2NyaXB0b3JfcHJvdG8YASADKAwiSwoXRXh0ZW5zaW9uTnVtYmVyUmVzcG9uc2USFgoOYmFzZV90eXBlX25hbWUYASABKAkSGAoQZXh0ZW5zaW9uX251bWJlchgCIAMoBSJQChNMaXN0U2VydmljZVJlc3BvbnNlEjkKB3NlcnZpY2UYASADKAsyKC5ncnBjLnJlZmxlY3Rpb24udjFhbHBoYS5TZXJ2aWNlUmVzcG9uc2UiHwoPU2VydmljZVJlc3BvbnNlEgwKBG5hbWUYASABKAkiOgoNRXJyb3JSZXNwb25zZRISCgplcnJvcl9jb2RlGAEgASgFEhUKDWVycm9yX21lc3NhZ2UYAiABKAkykwEKEFNlcnZlclJlZmxlY3Rpb24SfwoUU2VydmVyUmVmbGVjdGlvbkluZm8SMC5ncnBjLnJlZmxlY3Rpb24udjFhbHBoYS5TZXJ2ZXJSZWZsZWN0aW9uUmVxdWVzdBoxLmdycGMucmVmbGVjdGlvbi52MWFscGhhLlNlcnZlclJlZmxlY3Rpb25SZXNwb25zZSgBMAFiBnByb3RvMw==';

/** The `v1` version of a `v1alpha` file; both have the same messages. */
const toV1 = (alpha: FileDescriptorProto): FileDescriptorProto => {
  const text = JSON.stringify(toJson(FileDescriptorProtoSchema, alpha)).replaceAll('v1alpha', 'v1');
  return fromJson(FileDescriptorProtoSchema, JSON.parse(text));
};

const STANDARD = toRegistry([decodeFile(HEALTH), decodeFile(REFLECTION), toV1(decodeFile(REFLECTION))]);
