/** Generates the code of the gRPC clients from `test/grpc/protos`. The mock reads its descriptors from that code. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { command, inOrder, WORK } from '../prepare.mjs';

const HERE = import.meta.dirname;
const ROOT = resolve(HERE, '../../..');
const PROTOS = join(ROOT, 'test/grpc/protos');
/** Maps names that the protos spell differently from the contract. */
const NAMES = join(ROOT, 'test/grpc/names.yaml');
const FLOW = 'grpc/FLOW.md';

/** As in the guide: the mock gets a certificate, and these variables make SDKs trust it. */
const CERTIFICATE = join(ROOT, 'test/support/tls/cert.pem');
const TLS = {
  flags: ['--tls-cert', CERTIFICATE, '--tls-key', join(ROOT, 'test/support/tls/key.pem')],
  variables: {
    NODE_EXTRA_CA_CERTS: CERTIFICATE,
    GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: CERTIFICATE,
    SSL_CERT_FILE: CERTIFICATE,
  },
};

const NODE = join(HERE, 'node');
const BUF = join(NODE, 'node_modules/.bin/buf');
const PLUGIN = { local: join(NODE, 'node_modules/.bin/protoc-gen-es'), out: '.', opt: ['target=js'] };

/** Runs `prepare` only at the first call, since each client is used twice. */
const once = (prepare) => {
  let result;
  return () => {
    result ??= { problem: prepare() };
    return result.problem;
  };
};

/** Installs the compiler, and checks that the compiled file in `test/grpc` is up to date. */
const compile = once(() => {
  const made = join(WORK, 'accounts.binpb');
  const flags = ['--as-file-descriptor-set', '--exclude-source-info', '--exclude-imports'];
  mkdirSync(WORK, { recursive: true });
  const problem = inOrder(
    command('npm', ['ci', '--no-audit'], NODE),
    command(BUF, ['build', PROTOS, '--path', join(PROTOS, 'example/accounts'), ...flags, '-o', made]),
  );
  const kept = join(ROOT, 'test/grpc/accounts.binpb');
  const isKept = problem === undefined && readFileSync(made).equals(readFileSync(kept));
  return isKept ? undefined : (problem ?? `${kept} is not what ${PROTOS} compiles to. Copy ${made} there.`);
});

const ES = join(WORK, 'grpc-es');
const node = {
  name: 'grpc-node',
  prepare: () =>
    compile() ??
    inOrder(
      command(BUF, [
        ...['generate', PROTOS, '--path', join(PROTOS, 'example'), '--output', ES],
        ...['--template', JSON.stringify({ version: 'v2', plugins: [PLUGIN] })],
      ]),
    ),
  command: [process.execPath, join(NODE, 'flow.mjs')],
  variables: { PROTOS },
  descriptors: ES,
};

const VENV = join(WORK, 'grpc-venv');
const PYTHON = join(WORK, 'grpc-python');
const python = {
  name: 'grpc-python',
  needs: ['python3'],
  prepare: () => {
    mkdirSync(PYTHON, { recursive: true });
    const files = ['options', 'accounts/v1/accounts', 'accounts/v1/errors'].map(
      (one) => `example/${one}.proto`,
    );
    return inOrder(
      command('python3', ['-m', 'venv', VENV]),
      command(join(VENV, 'bin/pip'), ['install', '--quiet', '-r', join(HERE, 'python/requirements.txt')]),
      command(join(VENV, 'bin/python'), [
        ...['-m', 'grpc_tools.protoc', `-I${PROTOS}`],
        ...[`--python_out=${PYTHON}`, `--grpc_python_out=${PYTHON}`, ...files],
      ]),
    );
  },
  command: [join(VENV, 'bin/python'), join(HERE, 'python/flow.py')],
  variables: { PYTHONPATH: PYTHON },
  descriptors: PYTHON,
};

/** Each client runs without TLS and with TLS. */
export const GRPC_CLIENTS = [node, python].flatMap(({ descriptors, variables, prepare, ...given }) => {
  const client = { ...given, prepare: once(prepare) };
  const flags = ['--grpc-descriptors', descriptors, '--grpc-descriptors', NAMES];
  return [
    { ...client, flow: FLOW, flags, variables },
    {
      ...client,
      name: `${client.name}-tls`,
      flow: FLOW,
      flags: [...flags, ...TLS.flags],
      variables: { ...variables, ...TLS.variables },
    },
  ];
});
