// The wings of `src`, from the bottom up. A wing may import those of its list; a folder of a wing with several may import
// those of its own list. `types` may be imported by `import type` only; everybody may import the types of the contract.
const everyFolder =
  'core contract model/domain model/operations model/simulation model/scenario model/environments server/http server/api server/pages server/control console console/calls conformance/verify'.split(
    ' ',
  );

const ground = ['core', 'contract'];
const state = ['model/environments', 'model/domain', ...ground];
const folders = {
  core: { runtime: [] },
  contract: { runtime: ['core'] },

  'model/domain': { runtime: ['core'] },
  'model/operations': { runtime: ['model/domain', 'core'] },
  'model/simulation': { runtime: ['model/domain', 'core'], types: ['model/operations'] },
  'model/scenario': { runtime: ['model/domain', ...ground] },
  'model/environments': { runtime: ground, types: ['model/domain', 'model/operations'] },

  'server/http': { runtime: ['model/environments', ...ground] },
  'server/api': { runtime: ['server/http', 'model/operations', 'model/scenario', ...state] },
  'server/pages': { runtime: ['server/http', 'model/simulation', ...state], types: ['model/operations'] },
  'server/control': {
    runtime: ['server/http', 'model/operations', 'model/simulation', 'model/scenario', ...state],
  },

  grpc: { runtime: ['server/http', ...ground] },
  console: { runtime: ['model/domain'], types: ['server/control', 'console/calls'] },
  'console/calls': {
    runtime: ['server/http', 'server/control', 'model/operations', 'model/scenario', ...state],
  },
  library: {
    runtime: [
      ...'grpc console console/calls server/api server/http server/pages server/control model/scenario'.split(
        ' ',
      ),
      ...state,
    ],
  },
  index: { runtime: ['library'], types: everyFolder },
  'library/runners': { runtime: ['index', 'library', 'core'] },
  conformance: { runtime: ground },
  'conformance/cases': { runtime: ['conformance'] },
  'conformance/verify': { runtime: ground },
  cli: {
    runtime: 'index library grpc server/control model/scenario conformance/verify'.split(' ').concat(ground),
  },
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
  const nameable = [...loadable, ...types.map(pattern), pattern('contract')];
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
      comment: `src/${folder} may import types only from: ${[...runtime, ...types, 'contract'].join(', ')}`,
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
      ['server/http', 'server/api', 'server/pages', 'server/control', 'console', 'library'].map(pattern),
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
