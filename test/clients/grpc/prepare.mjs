/** Generates the code of the gRPC clients from `test/grpc/protos`. The mock reads its descriptors from that code. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeVenv, run, WORK } from '../prepare.mjs';

const HERE = import.meta.dirname;
const ROOT = resolve(HERE, '../../..');
const PROTOS = join(ROOT, 'test/grpc/protos');
/** Maps names that the protos spell differently from the contract. */
const NAMES = join(ROOT, 'test/grpc/names.yaml');

/** As in the guide: the mock gets a certificate, and these variables make SDKs trust it. */
const CERTIFICATE = join(ROOT, 'test/support/tls/cert.pem');
const TLS = {
  options: { tlsCert: CERTIFICATE, tlsKey: join(ROOT, 'test/support/tls/key.pem') },
  variables: {
    NODE_EXTRA_CA_CERTS: CERTIFICATE,
    GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: CERTIFICATE,
    SSL_CERT_FILE: CERTIFICATE,
  },
};

const NODE = join(HERE, 'node');
const BUF = join(NODE, 'node_modules/.bin/buf');
const PLUGIN = { local: join(NODE, 'node_modules/.bin/protoc-gen-es'), out: '.', opt: ['target=js'] };

/** Requires that the compiled file in `test/grpc` is up to date. */
const requireCompiled = () => {
  const made = join(WORK, 'accounts.binpb');
  const kept = join(ROOT, 'test/grpc/accounts.binpb');
  const flags = ['--as-file-descriptor-set', '--exclude-source-info', '--exclude-imports'];
  mkdirSync(WORK, { recursive: true });
  run(BUF, ['build', PROTOS, '--path', join(PROTOS, 'example/accounts'), ...flags, '-o', made]);
  if (!readFileSync(made).equals(readFileSync(kept)))
    throw new Error(`${kept} is not what ${PROTOS} compiles to. Copy ${made} there.`);
};

const ES = join(WORK, 'grpc-es');
const node = {
  name: 'grpc-node',
  prepare: () => {
    run('npm', ['ci', '--no-audit'], NODE);
    requireCompiled();
    run(BUF, [
      ...['generate', PROTOS, '--path', join(PROTOS, 'example'), '--output', ES],
      ...['--template', JSON.stringify({ version: 'v2', plugins: [PLUGIN] })],
    ]);
  },
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
    makeVenv(VENV, join(HERE, 'python/requirements.txt'));
    mkdirSync(PYTHON, { recursive: true });
    const files = ['options', 'accounts/v1/accounts', 'accounts/v1/errors'];
    run(join(VENV, 'bin/python'), [
      ...['-m', 'grpc_tools.protoc', `-I${PROTOS}`],
      ...[`--python_out=${PYTHON}`, `--grpc_python_out=${PYTHON}`],
      ...files.map((one) => `example/${one}.proto`),
    ]);
  },
  command: [join(VENV, 'bin/python'), join(HERE, 'python/flow.py')],
  variables: { PYTHONPATH: PYTHON },
  descriptors: PYTHON,
};

/** Each client walks without TLS and with TLS. */
export const GRPC_CLIENTS = [node, python].map(({ descriptors, variables, ...client }) => ({
  ...client,
  flow: 'grpc/FLOW.md',
  walks: [{}, TLS].map((tls) => ({
    options: { grpcDescriptors: [descriptors, NAMES], ...tls.options },
    variables: { ...variables, ...tls.variables },
  })),
}));
