// Who may import whom. `runtime` rooms may be imported freely, `types` rooms by `import type` only;
// a room may always import itself and, as types, the contract. Anything not listed is an error.
const everyRoom =
  'openapi core domain operations simulation scenario environments http api pages control console verify relied-on'.split(
    ' ',
  );

const rooms = {
  openapi: { runtime: ['core'] },
  core: { runtime: [] },
  domain: { runtime: ['core'] },
  operations: { runtime: ['domain', 'core'] },
  simulation: { runtime: ['domain', 'core'], types: ['operations'] },
  scenario: { runtime: ['domain', 'core', 'openapi'] },
  environments: { runtime: ['core'], types: ['domain', 'operations'] },
  http: { runtime: ['environments', 'core', 'openapi'] },
  api: { runtime: ['http', 'operations', 'environments', 'domain', 'core', 'openapi'] },
  grpc: { runtime: ['http', 'core', 'openapi'] },
  pages: {
    runtime: ['http', 'simulation', 'environments', 'domain', 'core', 'openapi'],
    types: ['operations'],
  },
  control: {
    runtime: 'http operations simulation scenario environments domain core openapi'.split(' '),
  },
  console: { runtime: ['domain'], types: ['control'] },
  'relied-on': { runtime: ['core', 'openapi'] },
  verify: { runtime: ['relied-on', 'mock', 'core', 'openapi'] },
  mock: {
    runtime: 'api grpc http pages control console scenario environments domain core openapi'.split(' '),
  },
  index: { runtime: ['mock'], types: everyRoom },
  runners: { runtime: ['index', 'mock', 'cli', 'core'] },
  cli: {
    runtime: ['index', 'mock', 'grpc', 'control', 'scenario', 'verify', 'relied-on', 'core', 'openapi'],
  },
};

const isFile = (room) => room === 'index';
const pattern = (room) => (isFile(room) ? `^src/${room}[.]ts$` : `^src/${room}/`);

const roomRules = Object.entries(rooms).flatMap(([room, { runtime, types = [] }]) => {
  const loadable = [room, ...runtime].map(pattern);
  const nameable = [...loadable, ...types.map(pattern), pattern('openapi')];
  return [
    {
      name: `${room}-imports`,
      comment: `src/${room} may import only: ${runtime.join(', ') || 'nothing of ours'}`,
      severity: 'error',
      from: { path: pattern(room) },
      to: { path: '^src/', pathNot: loadable, dependencyTypesNot: ['type-only'] },
    },
    {
      name: `${room}-import-types`,
      comment: `src/${room} may import types only from: ${[...runtime, ...types, 'openapi'].join(', ')}`,
      severity: 'error',
      from: { path: pattern(room) },
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
      ['http', 'api', 'pages', 'control', 'console', 'mock'].map(pattern),
    ),
    packageOnlyIn('chance', ['nanoid', 'pure-rand'], ['^src/core/ids[.]ts$']),
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
      to: { couldNotResolve: true, pathNot: '^vitest$' }, // see src/runners/vitest.d.ts
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
      from: { path: '^test/model/model/' },
      to: { pathNot: '^test/model/model/' },
    },
    {
      name: 'model-from-outside',
      comment: 'The tests beside the model know the mock as its users do, and only where they start it.',
      severity: 'error',
      from: { path: '^test/model/' },
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
