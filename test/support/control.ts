/** Calls of the control plane in a test: paths within an environment are relative to it. */
import { type Answer, type CallOptions, startServer, type TestServer } from './server.ts';

export interface ControlServer extends TestServer {
  /** A call below `/_mock`. */
  control(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  /** A call of an environment made for this test alone. */
  isolated(given?: object): Promise<Isolated>;
}

/** An environment of one test. */
export interface Isolated {
  readonly name: string;
  /** A call below `/_mock/environments/{env}`. */
  control(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  /** A call of the mocked API with the environment's bearer. */
  api(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export const startControlServer = async (
  options: Parameters<typeof startServer>[0] = {},
): Promise<ControlServer> => {
  const server = await startServer({ scenario: 'default', ...options });
  const control: ControlServer['control'] = (method, path, body, given) =>
    server.call(method, `/_mock${path}`, { token: null, body, ...given });
  return {
    ...server,
    control,
    isolated: async (given = {}) => {
      const made = (await control('POST', '/environments', given)).body;
      return {
        name: made.name,
        control: (method, path, body, rest) =>
          control(method, `/environments/${made.name}${path}`, body, rest),
        api: (method, path, body, headers = {}) =>
          server.call(method, path, { token: made.access_token, body, headers }),
      };
    },
  };
};
