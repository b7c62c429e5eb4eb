// The wings of `src`. A wing may import those of its list; a folder of a wing with several may import those of its own
// list. `types` may be imported by `import type` only.
const service = ['service', 'service/accounts', 'service/links', 'service/memberships'];
const engine =
  'engine engine/core engine/contract engine/tokens engine/environments engine/scenario engine/stubs engine/http engine/api engine/pages engine/control'.split(
    ' ',
  );
const everyFolder = [...engine, ...service, 'console', 'console/calls', 'conformance'];

/** The engine knows no noun: nothing of it imports the service, not even a type. */
const folders = {
  ...Object.fromEntries(engine.map((folder) => [folder, { runtime: engine }])),
  'engine/core': { runtime: [] },
  'engine/contract': { runtime: ['engine/core'] },
  ...Object.fromEntries(service.map((folder) => [folder, { runtime: [...service, ...engine] }])),
  grpc: { runtime: engine },
  console: {
    runtime: ['service', 'engine/core', 'engine/contract'],
    types: ['engine/control', 'console/calls'],
  },
  'console/calls': { runtime: engine },
  library: { runtime: ['grpc', 'console', 'console/calls', ...engine, ...service] },
  index: { runtime: ['library'], types: everyFolder },
  'library/runners': { runtime: ['index', 'library', 'engine/core'], types: ['service'] },
  conformance: { runtime: ['service', ...engine], types: service },
  cli: { runtime: ['index', 'library', 'grpc', 'conformance', 'service', ...engine] },
};

const isFile = (folder) => folder === 'index';
/** The files of a folder, without those of its own folders that have a line here. */
const pattern = (folder) => {
  if (isFile(folder)) return `^src/${folder}[.]ts$`;
  const inner = Object.keys(folders).filter((other) => other.startsWith(`${folder}/`));
  const names = inner.map((other) => other.slice(folder.length + 1)).join('|');
  return names ? `^src/${folder}/(?!(?:${names})/)` : `^src/${folder}/`;
};

const roomRules = Object.entries(folders).flatMap(([folder, { runtime, types = [] }]) => {
  const loadable = [folder, ...runtime].map(pattern);
  const nameable = [...loadable, ...types.map(pattern)];
  return [
    {
      name: `${folder}-imports`,
      comment: `src/${folder} may import only: ${runtime.join(', ') || 'nothing of ours'}`,
      severity: 'error',
      from: { path: pattern(folder) },
      to: { path: '^src/', pathNot: loadable, dependencyTypesNot: ['type-only'] },
    },
    {
      name: `${folder}-import-types`,
      comment: `src/${folder} may import types only from: ${[...runtime, ...types].join(', ')}`,
      severity: 'error',
      from: { path: pattern(folder) },
      to: { path: '^src/', pathNot: nameable, dependencyTypes: ['type-only'] },
    },
  ];
});

const packageOnlyIn = (name, packages, places) => ({
  name,
  comment: `${packages.join(' and ')} only in ${places.join(', ')}`,
  severity: 'error',
  from: { path: '^src/', pathNot: places },
  to: { path: packages.map((each) => `(^|node_modules/)(@types/)?${each}(/|$)`) },
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...roomRules,
    packageOnlyIn(
      'http-framework',
      ['express', 'express-openapi-validator'],
      [
        'engine/http',
        'engine/api',
        'engine/pages',
        'engine/control',
        'engine/stubs',
        'engine/tokens',
        'console',
        'library',
      ].map(pattern),
    ),
    packageOnlyIn('chance', ['nanoid', 'pure-rand'], ['^src/engine/core/ids[.]ts$']),
    {
      name: 'no-circular',
      comment: 'Imports run one way, types included, so that every room has a file to begin with.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^vitest$' }, // see src/library/runners/vitest.d.ts
    },
    {
      name: 'no-test-code',
      comment: 'The sources do not know their tests, nor tools that are not shipped.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: ['^test/', '^dist/'] },
    },
    {
      name: 'independent-model',
      comment: 'A model that shared code with what it checks would share its mistakes.',
      severity: 'error',
      from: { path: '^test/oracle/model/' },
      to: { pathNot: '^test/oracle/model/' },
    },
    {
      name: 'model-from-outside',
      comment: 'The tests beside the model know the mock as its users do, and only where they start it.',
      severity: 'error',
      from: { path: '^test/oracle/' },
      to: { path: '^src/', pathNot: '^src/index[.]ts$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^src/console/public/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: 'specify',
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
    },
  },
};
