/** The flags of `ca-mock verify`. */
import { customFlag, switchFlag, textFlag } from './flag.ts';

/** An address without user information, which would end up in messages. */
const readServerUrl = (text: string): string | undefined => {
  if (!/^https?:/.test(text) || !URL.canParse(text)) return undefined;
  const { username, password } = new URL(text);
  return username || password ? undefined : text.replace(/\/+$/, '');
};

const readSeconds = (text: string): number | undefined =>
  /^\d{1,4}$/.test(text) && Number(text) > 0 ? Number(text) : undefined;

const none = (name: string, placeholder: string, summary: string) =>
  textFlag({ name, placeholder, summary, fallback: 'none' });

const off = (name: string, summary: string) => switchFlag({ name, summary, fallback: 'off' });

export const VERIFY_FLAGS = {
  baseUrl: customFlag(
    { name: 'base-url', placeholder: 'URL', summary: 'server to verify', fallback: 'required' },
    'an http:// or https:// URL without user and password',
    readServerUrl,
  ),
  clientId: textFlag({
    name: 'client-id',
    placeholder: 'ID',
    summary: 'client to sign in as',
    fallback: 'required',
  }),
  clientSecret: textFlag({
    name: 'client-secret',
    placeholder: 'S',
    summary: 'its secret; CA_MOCK_CLIENT_SECRET keeps it out of the process list',
    fallback: 'required',
  }),
  write: off('write', 'also run cases that change data; they clean up after themselves'),
  inferred: off('inferred', 'let cases fail that rest on what the description leaves open'),
  organizationId: none('organization-id', 'ID', 'an organization that members may be added to'),
  userId: none('user-id', 'ID', 'a user who is no member of that organization'),
  externalId: none('external-id', 'ID', 'the external id of that user'),
  connector: none('connector', 'NAME', 'a connector to prefer over others of its type'),
  data: none('data', 'FILE', 'these four from a file: organization_id, user_id, external_id, connector'),
  controlToken: none(
    'control-token',
    'T',
    'token of the control plane, if the server is a mock that asks for one',
  ),
  timeout: customFlag(
    { name: 'timeout', placeholder: 'SECONDS', summary: 'how long a reply may take', fallback: '10' },
    'a whole number of seconds from 1 to 9999',
    readSeconds,
  ),
  json: off('json', 'write the report as JSON'),
  junit: none('junit', 'FILE', 'write the report as JUnit XML too'),
  record: none('record', 'FILE', 'write statuses and shapes of all replies'),
  compare: none('compare', 'FILE', 'compare statuses and shapes with those of a recording'),
  ledger: none('ledger', 'FILE', 'known failures and differences; new ones and gone ones fail'),
};
