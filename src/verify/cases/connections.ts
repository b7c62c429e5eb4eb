/** The list of connections, and their fields. */
import type { Schemas } from '../../openapi/types.ts';
import { type Case, group, inferred, promised } from '../case.ts';
import { including, listOf, type Pattern, someOf, someText, without } from '../pattern.ts';
import { ACME, UNKNOWN } from '../samples.ts';

const FILTERS = group({ about: 'listConnections' }, [
  promised('Connections come in one list', [], (api) => api.send().succeeds({ connections: listOf({}) })),
  inferred('By default the list has only connections that are enabled and COMPLETED', ['C1'], (api) =>
    api.send().succeeds({ connections: listOf({ enabled: true, status: 'COMPLETED' }) }),
  ),
  inferred('include=all gives those that are disabled too', ['C1'], async (api) => {
    const { id = '' } = api.connection('a disabled connection', { enabled: false });
    await api.send({ query: { include: 'all' } }).succeeds({ connections: including({ id }) });
    await api.send().succeeds({ connections: without({ id }) });
  }),
  inferred('include takes nothing but all', ['C1'], (api) =>
    api.send({ query: { include: 'some' } }).isRefused('include'),
  ),
  inferred('A domain, in any case, gives the connections that have it', ['C1'], async (api) => {
    const { domains: [domain = ''] = [] } = api.connection('a connection with a domain', {
      domains: someOf(someText),
    });
    await api
      .send({ query: { domain: domain.toUpperCase(), include: 'all' } })
      .succeeds({ connections: someOf({ domains: including(domain) }) });
  }),
  inferred('An organization gives the connections that it owns', ['C1'], async (api) => {
    const { organization_id = '' } = api.connection('a connection of an organization', {
      organization_id: someText,
    });
    await api
      .send({ query: { organization_id, include: 'all' } })
      .succeeds({ connections: someOf({ organization_id }) });
  }),
  inferred('Nothing that matches is an empty list', ['C1', 'I2'], async (api) => {
    const query = { organization_id: UNKNOWN.organization, include: 'all' };
    await api.send({ query }).succeeds({ connections: [] });
    await api.send({ query: { domain: 'conformance.invalid' } }).succeeds({ connections: [] });
  }),
  inferred('An organization id that is malformed is refused', ['I2'], (api) =>
    api.send({ query: { organization_id: 'not an id' } }).isRefused('organization_id'),
  ),
]);

/** A connection with these members is added, and its domain finds it alone. */
const shown = (name: string, row: Partial<Schemas['Connection']>, pattern: Pattern) =>
  promised(name, [], async (api) => {
    const domain = `${api.unique}.test`;
    await api.addRows({ connections: [{ key_id: api.unique, type: 'OIDC', domains: [domain], ...row }] });
    await api.send({ query: { domain, include: 'all' } }).succeeds({ connections: [pattern] });
  });

const VALUES = {
  type: [
    ...(['OIDC', 'SAML', 'PASSWORD', 'OAUTH', 'PASSWORDLESS', 'BASIC', 'BEARER', 'API_KEY'] as const),
    ...(['WEBAUTHN', 'OAUTH_M2M', 'VENDORA_OAUTH1', 'VENDORB_DWD', 'TRUSTED_IDP', 'SMART_FHIR'] as const),
    'NO_AUTH',
  ],
  status: ['DRAFT', 'IN_PROGRESS', 'COMPLETED'],
  provider: ['CUSTOM', 'IDP_SIMULATOR'],
} as const;

const FIELDS = group({ about: 'listConnections', needs: ['control'] }, [
  shown(
    'A connection has its fields',
    { organization_id: 'acme', mcp_server_url: 'https://tools.conformance.test' },
    {
      id: someText,
      key_id: someText,
      organization_id: ACME,
      organization_name: someText,
      domains: someOf(someText),
      enabled: true,
      provider_key: someText,
      mcp_server_url: 'https://tools.conformance.test',
    },
  ),
  shown('A connection that is switched off says so', { enabled: false }, { enabled: false }),
  promised('mcp_server_url is empty where there is no virtual tool server', [], (api) =>
    api.send().succeeds({ connections: including({ key_id: 'mail', mcp_server_url: '' }) }),
  ),
  ...Object.entries(VALUES).flatMap(([field, values]) =>
    values.map((value) =>
      shown(`The ${field} of a connection can be ${value}`, { [field]: value }, { [field]: value }),
    ),
  ),
]);

export const CONNECTION_CASES: readonly Case[] = [...FILTERS, ...FIELDS];
