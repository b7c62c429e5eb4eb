/** The control plane of a mock, seen from outside: an environment of one's own, its clock, its settings. */
import { type ControlCall, type Reply, valueAt } from './call.ts';
import { type Credentials, exchange, Unreachable } from './client.ts';
import type { Secrets } from './secrets.ts';

/** Actions on the environment that was made for the run; nobody else's changes. */
export interface Control {
  readonly credentials: Credentials;
  /** Back to the start of the scenario `default`. */
  reset(): Promise<void>;
  /** @param by such as `15m` */
  advance(by: string): Promise<void>;
  /** Stops the clock where it is; it moves by `advance` alone. */
  freeze(): Promise<void>;
  change(settings: Readonly<Record<string, unknown>>): Promise<void>;
  /** @param path below the environment, such as `connected_accounts/ca_1/expire` */
  act(path: string, body?: unknown): Promise<unknown>;
  /** What stands at a path below the environment, such as `outbox`. */
  read(path: string): Promise<unknown>;
  /** Adds rows, as a scenario has them. */
  add(rows: object): Promise<void>;
  /** Any call below the environment, with whatever it answers. */
  ask(call: ControlCall): Promise<Reply>;
  /** Gives the environment back. */
  remove(): Promise<void>;
}

export interface ControlOptions {
  readonly baseUrl: string;
  readonly controlToken?: string | undefined;
  readonly timeout: number;
  readonly secrets: Secrets;
}

/** The control plane; or why there is none, in the words that skipped cases use. */
export type Found = { readonly control: Control } | { readonly reason: string };

const NO_MOCK = 'needs the control plane of a mock, and --base-url names a server without one';
const LOCKED = 'needs the control plane; give its token with --control-token';

/** Looks for a control plane, and makes an environment of the scenario `default` there. */
export const findControl = async (options: ControlOptions): Promise<Found> => {
  options.secrets.add(options.controlToken);
  const health = await ask(options, 'GET', '/health');
  if (health.status === 401 || health.status === 403) return { reason: LOCKED };
  if (health.status >= 500)
    return { reason: `needs the control plane; GET /_mock/health answered ${health.status}` };
  if (health.status !== 200 || valueAt(health.body, 'environments') === undefined) return { reason: NO_MOCK };
  const made = await demand(options, 'POST', '/environments', { scenario: 'default' });
  return { control: controlOf(options, made) };
};

const controlOf = (options: ControlOptions, made: unknown): Control => {
  const text = (name: string): string => String(valueAt(made, name) ?? '');
  const place = `/environments/${encodeURIComponent(text('id'))}`;
  const post = (path: string, body: unknown = {}) => demand(options, 'POST', `${place}/${path}`, body);
  options.secrets.add(text('client_secret'));
  options.secrets.add(text('access_token'));
  return {
    credentials: {
      clientId: text('client_id'),
      clientSecret: text('client_secret'),
      accessToken: text('access_token'), // never expires, so that the clock may be moved
    },
    reset: async () => {
      await post('reset');
    },
    advance: async (by) => {
      await post('clock/advance', { by });
    },
    freeze: async () => {
      await demand(options, 'PUT', `${place}/clock`, { mode: 'frozen' });
    },
    change: async (settings) => {
      await demand(options, 'PATCH', `${place}/settings`, settings);
    },
    act: post,
    read: (path) => demand(options, 'GET', `${place}/${path}`),
    add: async (rows) => {
      await demand(options, 'PATCH', `${place}/state`, rows);
    },
    ask: async ({ method, path, body }) => ({
      ...(await ask(options, method, `${place}/${path}`, body)),
      isOutside: true,
    }),
    remove: async () => {
      await demand(options, 'DELETE', place);
    },
  };
};

const ask = (
  { baseUrl, controlToken, timeout }: ControlOptions,
  method: string,
  path: string,
  body?: unknown,
) =>
  exchange(
    `${baseUrl}/_mock${path}`,
    {
      method,
      headers: {
        ...(controlToken !== undefined && { authorization: `Bearer ${controlToken}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    },
    timeout,
  );

/** @throws Unreachable if the control plane refuses */
const demand = async (
  options: ControlOptions,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> => {
  const reply = await ask(options, method, path, body);
  if (reply.status < 400) return reply.body;
  const message = valueAt(reply.body, 'error', 'message');
  throw new Unreachable(
    `${method} /_mock${path} answered ${reply.status}: ${String(message ?? 'no message')}`,
  );
};
