/** The list of connections. */
import { define } from '../case.ts';
import { including, listOf, someOf, without } from '../pattern.ts';
import { UNKNOWN } from '../samples.ts';

export const CONNECTION_CASES = [
  define({
    name: 'Connections come in one list',
    operationId: 'listConnections',
    basis: 'promised',
    cites: ['connections.200'],
    send: () => ({}),
    status: 200,
    body: { connections: listOf({}) },
  }),
  define({
    name: 'By default the list has only connections that are enabled and COMPLETED',
    operationId: 'listConnections',
    basis: 'inferred',
    cites: ['C1'],
    send: () => ({}),
    status: 200,
    body: { connections: listOf({ enabled: true, status: 'COMPLETED' }) },
  }),
  define({
    name: 'include=all gives those that are disabled too',
    operationId: 'listConnections',
    basis: 'inferred',
    cites: ['C1'],
    arrange: async ({ connection }) =>
      connection((one) => one.enabled === false, 'a disabled connection').id ?? '',
    send: () => ({ query: { include: 'all' } }),
    status: 200,
    body: ({ given }) => ({ connections: including({ id: given }) }),
    afterwards: [
      { send: () => ({}), status: 200, body: ({ given }) => ({ connections: without({ id: given }) }) },
    ],
  }),
  define({
    name: 'include takes nothing but all',
    operationId: 'listConnections',
    basis: 'inferred',
    cites: ['C1'],
    send: () => ({ query: { include: 'some' } }),
    status: 400,
    violates: 'include',
  }),
  define({
    name: 'A domain, in any case, gives the connections that have it',
    operationId: 'listConnections',
    basis: 'inferred',
    cites: ['C1'],
    arrange: async ({ connection }) =>
      connection((one) => (one.domains?.length ?? 0) > 0, 'a connection with a domain').domains?.[0] ?? '',
    send: ({ given }) => ({ query: { domain: given.toUpperCase(), include: 'all' } }),
    status: 200,
    body: ({ given }) => ({ connections: someOf({ domains: including(given) }) }),
  }),
  define({
    name: 'An organization gives the connections that it owns',
    operationId: 'listConnections',
    basis: 'inferred',
    cites: ['C1'],
    arrange: async ({ connection }) =>
      connection((one) => Boolean(one.organization_id), 'a connection of an organization').organization_id ??
      '',
    send: ({ given }) => ({ query: { organization_id: given, include: 'all' } }),
    status: 200,
    body: ({ given }) => ({ connections: someOf({ organization_id: given }) }),
  }),
  define({
    name: 'Nothing that matches is an empty list',
    operationId: 'listConnections',
    basis: 'inferred',
    cites: ['C1', 'I2'],
    send: () => ({ query: { organization_id: UNKNOWN.organization, include: 'all' } }),
    status: 200,
    body: { connections: [] },
    afterwards: [
      { send: () => ({ query: { domain: 'conformance.invalid' } }), status: 200, body: { connections: [] } },
    ],
  }),
  define({
    name: 'An organization id that is malformed is refused',
    operationId: 'listConnections',
    basis: 'inferred',
    cites: ['I2'],
    send: () => ({ query: { organization_id: 'acme.test' } }),
    status: 400,
    violates: 'organization_id',
  }),
];
