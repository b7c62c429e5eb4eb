/** One request for a page that a token opens, as plain values. */
import type { Request, Response } from 'express';
import type { Effects, Env } from '../domain/operation.ts';
import type { State } from '../domain/state.ts';
import { type Environment, run } from '../environments/environment.ts';
import type { Environments } from '../environments/environments.ts';
import { type HostedAnswer, send } from './answer.ts';
import { isOpenedByUser } from './cross-site.ts';

/** Fields of a form by name; of one that is sent more than once the last. */
export type Form = ReadonlyMap<string, string>;

export interface Visit {
  readonly method: string;
  readonly token: string;
  readonly query: URLSearchParams;
  /** Empty unless posted. */
  readonly form: Form;
  /** Whether the address itself may decide: a page that embeds or prefetches it must not. */
  readonly mayDecide: boolean;
}

export const readVisit = ({ method, url, params, headers, body }: Request): Visit => {
  const fields: Readonly<Record<string, string | string[]>> = method === 'POST' ? body : {};
  return {
    method,
    token: String(params.token),
    query: new URL(url, 'http://mock.local').searchParams,
    form: new Map(Object.entries(fields).map(([name, value]) => [name, [value].flat().at(-1) ?? ''])),
    mayDecide: isOpenedByUser(headers),
  };
};

/** What a step of a page answers, with what follows from it. */
export type Step = (state: State, env: Env) => { readonly answer: HostedAnswer } & Effects;

/** Runs a step: the answer goes out first, then what it changed is committed. */
export const runStep = (
  environments: Environments,
  environment: Environment,
  response: Response,
  step: Step,
): void => {
  run(environment, environments.baseUrl, step, ({ answer }) => send(response, answer));
};
