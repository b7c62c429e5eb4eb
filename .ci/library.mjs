/**
 * Writes the methods of the library (src/library/generated.ts): one for each call of the control plane that has `x-method`
 * in control.yaml, with its summary as the comment.
 *
 * `x-method: faults.add` names it, and a map of names gives several: `with` fixes parameters, `arguments` names the
 * members or parameters that are arguments of their own, `gives` the member of the answer that is returned, and `type`
 * its type. Without these, a method takes the path parameters, then the query as one filter or the body as a
 * whole. If the answer has a single member, the method returns that member. `x-name` and `x-filter` name types, `x-type`
 * writes one in TypeScript.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { parse } from 'yaml';

const document = parse(await readFile('src/server/control/control.yaml', 'utf8'));
const ENVIRONMENT = '/environments/{env}';

const nameOf = ({ $ref }) => $ref.split('/').at(-1);
const resolve = (value) =>
  value?.$ref ? { ...$at(document, value.$ref), ...value, $ref: undefined, from: nameOf(value) } : value;
const $at = (root, ref) =>
  ref
    .slice(2)
    .split('/')
    .reduce((part, name) => part[name], root);

const comment = (text, indent) => {
  const words = text
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replace(/([^.!?:])$/, '$1.');
  return `${indent}/** ${words} */\n`;
};

/** The interfaces of parameters and results, by name. */
const interfaces = new Map();

const declare = (name, description, members) => {
  if (interfaces.has(name)) return name;
  interfaces.set(name, ''); // the members may refer to the interface itself
  const lines = members.map(
    ({ name: member, words, type, isOptional }) =>
      `${comment(words ?? missing(`${name}.${member}`), '  ')}  readonly ${member}${isOptional ? '?' : ''}: ${type};\n`,
  );
  interfaces.set(
    name,
    `${comment(description ?? missing(name), '')}export interface ${name} {\n${lines.join('')}}\n`,
  );
  return name;
};

const missing = (what) => {
  throw new Error(`control.yaml does not describe ${what}.`);
};

/** Writes an object schema as an interface. @param at the type of the object in the types of the document */
const declareObject = (name, { description, properties, required = [] }, at) =>
  declare(
    name,
    description,
    Object.entries(properties).map(([member, schema]) => ({
      name: member,
      words: schema.description ?? resolve(schema).description,
      type: typeOf(schema, `${at}['${member}']`),
      isOptional: !required.includes(member),
    })),
  );

const PLAIN = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean' };

/** The TypeScript type of a schema. @param at the name of the schema in the types of the document */
const typeOf = (schema, at) => {
  const whole = resolve(schema);
  if (whole['x-type']) return whole['x-type'];
  if (whole.allOf?.[0].$ref) return typeOf(whole.allOf[0], at); // the other parts of `allOf` only restrict the type
  if (whole.type in PLAIN && !whole.enum) return PLAIN[whole.type];
  if (whole.type === 'array' && whole.items.$ref) return `${typeOf(whole.items, `${at}[number]`)}[]`;
  const name = whole['x-name'] ?? whole.from;
  if (whole.type !== 'object' || !whole.properties || !name) return at;
  // A description next to a reference describes the member, not the type.
  return whole.from
    ? declareObject(name, document.components.schemas[whole.from], `Schemas['${whole.from}']`)
    : declareObject(name, whole, at);
};

const lowerFirst = (name) => name.replace(/^[A-Z]/, (letter) => letter.toLowerCase());
const optional = (name, type) => `${name}?: ${type}`;

/** All query parameters as one argument. */
const readFilter = (operation, parameters) => {
  const name = operation['x-filter'];
  const at = (member) => `Query<'${operation.operationId}'>['${member}']`;
  const members = parameters.map((one) => ({
    name: one.name,
    words: one.description ?? resolve(one.schema).description,
    type: one['x-type'] ?? typeOf(one.schema, at(one.name)),
    isOptional: true,
  }));
  declare(name, 'A filter: only results that meet all of its conditions are returned', members);
  return { given: [`filter: ${name} = {}`], query: 'filter' };
};

/** The whole body as one argument. */
const readBody = ({ operationId }, { required, schema }) => {
  const type = typeOf(schema, `Body<'${operationId}'>`);
  const name = schema['x-type'] ? 'state' : lowerFirst(type);
  return { given: [required ? `${name}: ${type}` : `${name}: ${type} = {}`], body: name };
};

/** Query parameters or members of the body that are separate arguments. */
const readNamed = ({ operationId }, names, parameters, body) => {
  if (names.length === 0) return {};
  const isQuery = parameters.some(({ name }) => names.includes(name));
  const given = names.map((name) => {
    if (isQuery) return `${name}: string`;
    const type = typeOf(body.schema.properties[name], `Body<'${operationId}'>['${name}']`);
    return body.schema.required?.includes(name) ? `${name}: ${type}` : optional(name, type);
  });
  const values = names.map((name) => (isQuery ? `${name}: requireGiven('${name}', ${name})` : name));
  return { given, [isQuery ? 'query' : 'body']: `{ ${values.join(', ')} }` };
};

const readInput = (operation, { arguments: named, with: fixed = {} }, parameters) => {
  const content = resolve(operation.requestBody);
  const schema = content?.content['application/json'].schema;
  const body = schema && { required: content.required, schema };
  const free = parameters.filter((one) => one.in === 'query' && !(one.name in fixed));
  if (named) return readNamed(operation, named, free, body);
  if (body) return readBody(operation, body);
  return free.length > 0 && operation['x-filter'] ? readFilter(operation, free) : {};
};

/** The part of the answer that a method returns, and the code that reads it from the answer. */
const readAnswer = ({ operationId, responses }, { gives, type }) => {
  const answer = resolve(responses['200'] ?? responses['201']);
  const schema = resolve(answer.content['application/json'].schema);
  if (gives === 'nothing' || answer.from === 'Done') return { type: 'void' };
  if (type) return { type: typeOf({ $ref: `#/components/schemas/${type}` }) };
  const choices = schema.anyOf?.map(resolve) ?? [schema];
  const holder = choices.find(({ properties = {} }) => gives in properties) ?? choices[0];
  const names = Object.keys(holder.properties ?? {});
  const member = gives ?? (names.length === 1 && !holder.from ? names[0] : undefined);
  if (member === undefined)
    return { type: typeOf(answer.content['application/json'].schema, `Answer<'${operationId}'>`) };
  return { type: typeOf(holder.properties[member]), member };
};

const writeMethod = (name, call, row) => {
  const { operation, method, path } = call;
  const { with: fixed = {}, summary = operation.summary } = row;
  const free = call.parameters.filter(
    (one) => one.in === 'path' && one.name !== 'env' && !(one.name in fixed),
  );
  const { given = [], query, body } = readInput(operation, row, call.parameters);
  const { type, member } = readAnswer(operation, row);
  const address = path
    .replace(ENVIRONMENT, `/environments/\${this.id}`)
    .replaceAll(/(?<!\$)\{(\w+)\}/g, (_, one) => fixed[one] ?? `\${segment('${one}', ${one})}`);
  const fixedQuery = call.parameters
    .filter((one) => one.in === 'query' && one.name in fixed)
    .map(({ name: one }) => `${one}: ${JSON.stringify(fixed[one])}`);
  const parameters = [...(query ? [`...${query}`] : []), ...fixedQuery];
  const sent = fixedQuery.length > 0 ? `{ ${parameters.join(', ')} }` : query;
  const parts = [sent && `query: ${sent}`, body && `body: ${body}`];
  const input = parts.filter(Boolean).join(', ');
  const args = [...free.map((one) => `${one.name}: ${one['x-type'] ?? 'string'}`), ...given].join(', ');
  const asked = `this.ask('${method}', \`${address}\`${input && `, { ${input} }`})`;
  const result =
    type === 'void'
      ? `await ${asked};`
      : `return ${member ? `(await ${typed(asked, `{ readonly ${member}: ${type} }`)}).${member}` : typed(asked, type)};`;
  const words = [summary, row.summary ? undefined : operation.description].filter(Boolean);
  return `${comment(words.map(ended).join(' '), '  ')}  async ${name}(${args}): Promise<${type}> {\n    ${result}\n  }\n`;
};

const ended = (text) => text.trim().replace(/[^.]$/, '$&.');
const typed = (asked, type) => asked.replace('this.ask(', `this.ask<${type}>(`);

/** The methods of each class: of an environment, of its groups such as `faults`, and of a mock. */
const classes = { mock: new Map([['', []]]), environment: new Map([['', []]]) };
for (const [path, { parameters: shared = [], ...verbs }] of Object.entries(document.paths))
  for (const [verb, operation] of Object.entries(verbs)) {
    const named = operation['x-method'] ?? {};
    const rows = typeof named === 'string' ? { [named]: {} } : named;
    const parameters = [...shared, ...(operation.parameters ?? [])].map(resolve);
    const call = { operation, method: verb.toUpperCase(), path, parameters };
    for (const [whole, row] of Object.entries(rows)) {
      const groups = classes[path.startsWith(ENVIRONMENT) ? 'environment' : 'mock'];
      const [, group = '', name] = /^(?:(\w+)[.])?(\w+)$/.exec(whole);
      groups.set(group, [...(groups.get(group) ?? []), writeMethod(name, call, row)]);
    }
  }

const upperFirst = (name) => name.replace(/^[a-z]/, (letter) => letter.toUpperCase());

const writeClass = (name, words, parts, methods) => {
  const fields = parts.map(
    ([member, ofClass, about]) => `${comment(about, '  ')}  readonly ${member}: ${ofClass};\n`,
  );
  const makes = parts.map(([member, ofClass]) => `    this.${member} = new ${ofClass}(ask, id);\n`);
  const isMock = name === 'MockCalls';
  return `${comment(words, '')}export class ${name} {
  /** @internal */
  protected readonly ask: Ask;
${isMock ? '' : ID[name === 'EnvironmentCalls']}${fields.join('')}
  constructor(ask: Ask${isMock ? '' : ', id: string'}) {
    this.ask = ask;
${isMock ? '' : '    this.id = id;\n'}${makes.join('')}  }

${methods.join('\n')}}
`;
};

const ID = {
  true: '  /** The id, unique on the server. */\n  readonly id: string;\n',
  false: '  /** @internal the id of the environment */\n  protected readonly id: string;\n',
};

const groups = [...classes.environment].filter(([group]) => group !== '');
const about = document['x-method-groups'];
const code = [
  ...groups.map(([group, methods]) => writeClass(`${upperFirst(group)}Calls`, about[group], [], methods)),
  writeClass(
    'EnvironmentCalls',
    'The methods that control one environment',
    groups.map(([group]) => [group, `${upperFirst(group)}Calls`, about[group]]),
    classes.environment.get(''),
  ),
  writeClass('MockCalls', 'The methods that control a mock as a whole', [], classes.mock.get('')),
];
// A type that only hand-written methods take.
typeOf({ $ref: '#/components/schemas/NewEnvironment' });

await writeFile(
  'src/library/generated.ts',
  `// Made of src/server/control/control.yaml by .ci/library.mjs.
import type { components, operations } from '../server/control/generated.ts';
import { type Ask, requireGiven, segment } from './ask.ts';
import type { Account, AuthenticationRequest, EnvironmentForm, Membership, OperationId, ScenarioForm } from './types.ts';

type Schemas = components['schemas'];
type Query<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>;
type Answer<Id extends keyof operations> = operations[Id]['responses'] extends { 200: { content: { 'application/json': infer Sent } } } ? Sent : never;
type Body<Id extends keyof operations> = operations[Id] extends { requestBody?: { content: { 'application/json': infer Sent } } } ? Sent : never;

${[...interfaces.values(), ...code].join('\n')}`,
);
