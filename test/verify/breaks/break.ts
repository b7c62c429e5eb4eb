/** Ways to break a promise: the mock as somebody else might have built it, with one thing wrong. */
import { loadContract } from '../../../src/openapi/load.ts';
import type { OperationId } from '../../../src/openapi/types.ts';
import type { Asked, Passing } from '../altered.ts';

export interface Break {
  /** Changes what the mock is asked. */
  readonly rewrite?: (asked: Asked) => void;
  /** Changes what it answers. */
  readonly alter?: (reply: Passing) => void;
}

/** Body or member of it, as JSON has it: what is there is for the test to find out. */
export type Held = ReturnType<typeof JSON.parse>;

const OPERATIONS = loadContract().operations.map(({ operationId, method, path }) => ({
  operationId,
  method: method.toUpperCase(),
  path: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
}));

const isCallOf = (operationId: OperationId | 'any', method: string, url: string): boolean => {
  const [path = ''] = url.split('?');
  return operationId === 'any'
    ? OPERATIONS.some((one) => one.path.test(path))
    : OPERATIONS.some(
        (one) => one.operationId === operationId && one.method === method && one.path.test(path),
      );
};

/** Replies of one operation, or of any. */
export const on = (operationId: OperationId | 'any', change: (reply: Passing) => void): Break => ({
  alter: (reply) => {
    if (isCallOf(operationId, reply.method, reply.url)) change(reply);
  },
});

/** Another status than that which is promised. */
export const restatus = (operationId: OperationId | 'any', from: number, to: number): Break =>
  on(operationId, (reply) => {
    if (reply.status === from) reply.status = to;
  });

/** Everything that stands at a place such as `user.memberships.*.roles.*`; `*` is each item of a list. */
export const at = (body: Held, place: string): readonly Held[] => {
  const names = place.split('.').filter((name) => name !== '');
  const inside = (value: Held, name: string): readonly Held[] => (name === '*' ? value : [value[name]]);
  return names.reduce<readonly Held[]>(
    (held, name) => held.flatMap((value) => inside(value, name)).filter(isObject),
    [body].filter(isObject),
  );
};

const isObject = (value: Held): boolean => typeof value === 'object' && value !== null;

/** Objects at a place of any success, changed. */
export const each = (place: string, change: (held: Held) => void, operationId: OperationId | 'any' = 'any') =>
  on(operationId, ({ body }) => {
    for (const held of at(body, place)) change(held);
  });

export const drop = (place: string, member: string, operationId?: OperationId): Break =>
  each(place, (held) => delete held[member], operationId);

/** A member is set, whether or not it was there. */
export const set = (place: string, member: string, value: unknown, operationId?: OperationId): Break =>
  each(
    place,
    (held) => {
      held[member] = value;
    },
    operationId,
  );

/** A member that has a value is given another one. */
export const replace = (place: string, member: string, from: unknown, to: unknown): Break =>
  each(place, (held) => {
    if (held[member] === from) held[member] = to;
  });

/** A parameter of the query goes unread. */
export const ignoreQuery = (operationId: OperationId, name: string): Break => ({
  rewrite: (asked) => {
    if (!isCallOf(operationId, asked.method, asked.url)) return;
    const url = new URL(asked.url, 'http://mock.test');
    url.searchParams.delete(name);
    asked.url = url.pathname + url.search;
  },
});

/** A member of the request goes unread. */
export const ignoreMember = (operationId: OperationId, name: string): Break => ({
  rewrite: (asked) => {
    if (isCallOf(operationId, asked.method, asked.url)) delete asked.body[name];
  },
});

/** A request that names this, in its query or its body, gets another status. */
export const refuse = (operationId: OperationId, name: string, status: number): Break =>
  on(operationId, (reply) => {
    const inQuery = new URL(reply.url, 'http://mock.test').searchParams.has(name);
    if (inQuery || reply.asked.body?.[name] !== undefined) reply.status = status;
  });

/** A page that a link leads to answers with another status. */
export const relink = (from: number, to: number): Break => ({
  alter: (reply) => {
    if (reply.url.startsWith('/magicLink/') && reply.status === from) reply.status = to;
  },
});

/** The address that a link sends its user to, changed. */
export const redirect = (change: (location: URL) => void): Break => ({
  alter: (reply) => {
    if (!reply.url.startsWith('/magicLink/') || reply.headers.location === undefined) return;
    const location = new URL(reply.headers.location);
    change(location);
    reply.headers.location = location.href;
  },
});

/** What the control plane answers to new rows. */
export const restate = (from: number, to: number): Break => ({
  alter: (reply) => {
    if (reply.method === 'PATCH' && reply.url.endsWith('/state') && reply.status === from) reply.status = to;
  },
});
