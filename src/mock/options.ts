/** What `startMock`, `createMock` and `createEnvironment` can be told; the flags of `ca-mock start` in camelCase. */

import type { SettingsForm } from '../domain/settings-form.ts';
import type { ClockForm, ScenarioForm } from '../scenario/written.ts';
import type { LogOption } from './log.ts';

/** Options of a mock that does not listen. */
export interface MockOptions {
  /**
   * A name of the fixtures folder, a file, or the scenario itself.
   * Default: `ca-mock.yaml`, `.yml` or `.json` in the working directory if there is one, else `default`.
   */
  readonly scenario?: string | ScenarioForm | undefined;
  /** Folder of the scenarios that have names. Default: the package's own. */
  readonly fixtures?: string | undefined;
  /** Address of the mock as its clients see it. Default: where it listens; `http://mock.local` if it does not. */
  readonly baseUrl?: string | undefined;
  /** What ids are drawn from; `random` ends repetition. Default: the scenario's, else 1. */
  readonly seed?: number | 'random' | undefined;
  /** An ISO 8601 time to freeze every clock at. Default: the scenario's, else real time. */
  readonly clock?: string | undefined;
  /** Refuse unknown parameters and members (behaviour T2). Default: the scenario's setting. */
  readonly strict?: boolean | undefined;
  /** What opening an authorization link does (behaviour V5). Default: the scenario's setting. */
  readonly hosted?: 'interactive' | 'approve' | 'deny' | undefined;
  /** What a reply of ours that breaks the contract leads to. Default: `report`. */
  readonly validateResponses?: 'on' | 'report' | 'off' | undefined;
  /** Reload the scenario when one of its files changes; a broken edit is logged and the old state kept. Default: no. */
  readonly watch?: boolean | undefined;
  /** Token that every call of `/_mock` must then carry. Default: none. */
  readonly controlToken?: string | undefined;
  /** Where what the mock has to say about itself goes. Default: `pretty`. */
  readonly log?: LogOption | undefined;
}

/** Options of a mock that listens. */
export interface StartOptions extends MockOptions {
  /** 0 takes any free one. Default: 4720. */
  readonly port?: number | undefined;
  /** Address to listen on; one that is not loopback needs a `controlToken`. Default: 127.0.0.1. */
  readonly host?: string | undefined;
  /** File of a certificate to serve HTTPS with, in PEM. Default: plain HTTP. */
  readonly tlsCert?: string | undefined;
  /** File of the certificate's private key, in PEM. */
  readonly tlsKey?: string | undefined;
}

/** Options of a runtime environment (behaviour E5). */
export interface EnvironmentOptions {
  /** A name of the fixtures folder. Default: the scenario that the mock was started with. */
  readonly scenario?: string;
  /** The environment of the scenario to copy. Default: its first. */
  readonly from?: string;
  /** Unique on the server. Default: one is made up. */
  readonly name?: string;
  /** A time to freeze the clock at, or a clock. Default: the scenario's. */
  readonly clock?: string | ClockForm;
  /** What ids are drawn from; `random` ends repetition. Default: the mock's. */
  readonly seed?: number | 'random';
  readonly settings?: SettingsForm;
}
