/** One request for a page that a token opens, as plain values. */
import type { Request, Response } from 'express';
import type { Effects, Env } from '../domain/operation.ts';
import type { State } from '../domain/state.ts';
import { type Environment, run } from '../environments/environment.ts';
import type { Environments } from '../environments/environments.ts';
import { type HostedAnswer, send } from './answer.ts';
import { requireNavigation, requireSameSite } from './cross-site.ts';
import { type Form, readForm } from './form.ts';
import { wrongMethod } from './refusal.ts';

export interface Visit {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly token: string;
  readonly query: URLSearchParams;
  /** Empty unless posted. */
  readonly form: Form;
}

const ALLOWED = 'GET, HEAD, POST';

/** @throws Refusal 405 for another method, 403 for what another site posts or embeds, or what `readForm` refuses */
export const readVisit = async (
  request: Request,
  response: Response,
  token: string,
  baseUrl: string,
): Promise<Visit> => {
  const { method } = request;
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') throw wrongMethod(method, ALLOWED);
  if (method === 'POST') requireSameSite(request.headers, baseUrl);
  else requireNavigation(request.headers);
  const { searchParams: query } = new URL(request.url, 'http://mock.local');
  return { method, token, query, form: method === 'POST' ? await readForm(request, response) : new Map() };
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
