/** Finds out what there is to run against: the environment of the named client, and one of our own on a mock. */
import { randomSeed } from '../core/ids.ts';
import { valueAt } from '../core/object.ts';
import type { RemoteEnvironment } from '../mock/mock.ts';
import { MockError } from '../mock/mock-error.ts';
import { connectMock } from '../mock/remote-mock.ts';
import { isJsonObject } from '../openapi/document.ts';
import { loadContract } from '../openapi/load.ts';
import { createReplyCheck, type ReplyCheck } from '../openapi/reply-check.ts';
import { NEED_REASONS } from './api.ts';
import { boundedSend, type ClientCredentials, createClient } from './http.ts';
import { DEFAULT_DATA } from './samples.ts';
import type { Secrets } from './secrets.ts';
import type { Connection, Data, Target } from './session.ts';

export interface PlaceOptions extends Data {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Of the control plane, if the server is a mock that asks for one. */
  readonly controlToken?: string | undefined;
  /** Milliseconds that a reply may take. */
  readonly timeout: number;
  readonly secrets: Secrets;
}

/** Where cases can run. */
export interface RunTargets {
  /** The environment of the client that was named. */
  readonly main: Target;
  /** An environment that was made for the run; absent without a control plane. */
  readonly scratch?: Target;
  /** Why it is absent. */
  readonly reason: string;
  readonly checkReply: ReplyCheck;
  /** A name that nothing of this or another run has. */
  readonly nextName: () => string;
}

/** @throws Unreachable if the server cannot be asked, or gives no token */
export const explore = async (options: PlaceOptions): Promise<RunTargets> => {
  const { clientId, clientSecret } = options;
  const main = await findTarget(options, { clientId, clientSecret }, options);
  const common = { main, checkReply: createReplyCheck(loadContract()), nextName: createNames() };
  const mock = await makeEnvironment(options);
  if (typeof mock === 'string') return { ...common, reason: mock };
  const scratch = await findTarget(options, mock.credentials, DEFAULT_DATA);
  return { ...common, scratch: { ...scratch, mock, elsewhere: main }, reason: '' };
};

const findTarget = async (
  { baseUrl, timeout, secrets }: PlaceOptions,
  credentials: ClientCredentials,
  data: Data,
): Promise<Target> => {
  const client = createClient({ baseUrl, credentials, timeout, secrets });
  await client.token();
  // Through the API, as any client would; a server that has no such list has no connectors to offer.
  const reply = await client.send('listConnections', { query: { include: 'all' } }).catch(() => undefined);
  const listed = valueAt(reply?.body, 'connections');
  const connections = Array.isArray(listed)
    ? listed.filter((one): one is Connection => isJsonObject(one))
    : [];
  return { client, credentials, data, connections, timeout };
};

/** An environment of the scenario `default`; or why there is none, in the words that skipped cases use. */
const makeEnvironment = async (options: PlaceOptions): Promise<RemoteEnvironment | string> => {
  const { baseUrl, controlToken, timeout, secrets } = options;
  secrets.add(controlToken);
  try {
    const mock = await connectMock(baseUrl, { controlToken, send: boundedSend(timeout) });
    await mock.environments(); // a server that answers anything at all to a path it does not know has none
    return await mock.createEnvironment({ scenario: 'default' });
  } catch (error) {
    const code = error instanceof MockError ? error.code : undefined;
    if (code === 'UNAUTHENTICATED' || code === 'FORBIDDEN')
      return `${NEED_REASONS.control}; give its token with --control-token`;
    return `${NEED_REASONS.control}, and --base-url names a server without one`;
  }
};

const createNames = (): (() => string) => {
  const run = randomSeed().toString(36);
  let count = 0;
  return () => {
    count += 1;
    return `conformance${run}x${count}`;
  };
};
