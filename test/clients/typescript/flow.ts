/** What both TypeScript clients need to walk the flow: the environment, steps, retries, and the control plane. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

const read = (name: string): string => {
  const value = process.env[name];
  if (value === undefined)
    throw new Error(`${name} is missing: start the clients with node test/clients/run.mjs.`);
  return value;
};

export const baseUrl = read('MOCK_URL');
export const clientId = read('MOCK_CLIENT_ID');
export const clientSecret = read('MOCK_CLIENT_SECRET');
const environment = read('MOCK_ENVIRONMENT');

export const IDENTIFIER = 'Flow@acme.test';
export const PAIR = { connector: 'mail', identifier: IDENTIFIER };
export const CREDENTIALS = {
  access_token: 'flow-access',
  refresh_token: 'flow-refresh',
  scopes: ['mail.read'],
};
export const VERIFY_URL = 'http://localhost:3000/verify?from=flow';
export const STATE = 'a state & more';
export const MEMBER = { organization_id: 'org_100000000000000001', id: 'usr_100000000000000005' };
export const EXTERNAL = { organization_id: MEMBER.organization_id, external_id: 'ext-barbara' };
export const INVITER = 'ada@acme.test';

/** What a generated client gives back. */
export interface Reply<Data> {
  readonly data?: Data | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

/** The data of a reply that must have this status. */
export const data = async <Data>(call: Promise<Reply<Data>>, status = 200): Promise<Data> => {
  const { data: given, error, response } = await call;
  assert.equal(response.status, status, JSON.stringify(error));
  assert.ok(given !== undefined);
  return given;
};

/** The error of a reply that must have this status, as text. */
export const refusal = async (call: Promise<Reply<unknown>>, status: number): Promise<string> => {
  const { error, response } = await call;
  assert.equal(response.status, status);
  return JSON.stringify(error);
};

export const step = async (name: string, walk: () => Promise<void>): Promise<void> => {
  await walk();
  console.log(`ok ${name}`);
};

const ATTEMPTS = 5;

/** Tries again on 429 and 5xx, as long as the server asks to wait. */
export const retryingFetch = async (given: Request): Promise<Response> => {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(given.clone());
    const mayPass = response.status === 429 || response.status >= 500;
    if (!mayPass || attempt === ATTEMPTS) return response;
    await sleep(Number(response.headers.get('retry-after') ?? '0.02') * 1_000);
  }
};

/** The three faults of the step `retries`, each once. */
export const injectFaults = async (): Promise<void> => {
  for (const status of [429, 500, 504]) {
    const response = await fetch(`${baseUrl}/_mock/environments/${environment}/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ operation: 'listConnections', status, times: 1 }),
    });
    assert.equal(response.status, 201);
  }
};

/** Approves a link as a user would: where the browser is sent to. */
export const approve = async (link: string): Promise<URL> => {
  const answer = await fetch(`${link}?decision=approve`, { redirect: 'manual' });
  assert.equal(answer.status, 302);
  return new URL(answer.headers.get('location') ?? '');
};
