/** A mock whose contract asks more of replies than the mock sends, so that every check of a reply can be seen. */
import { type Contract, toContract } from '../../src/engine/contract/load.ts';
import { Environments } from '../../src/engine/environments/all-environments.ts';
import type { ResponseValidation } from '../../src/engine/http/validate.ts';
import type { LoadedScenario } from '../../src/engine/scenario/load-scenario.ts';
import type { Service } from '../../src/engine/service.ts';
import { createApp } from '../../src/library/app.ts';
import { createScenarioLoader } from '../../src/library/scenario-loader.ts';
import { loadContract } from '../../src/service/document.ts';
import { service } from '../../src/service/index.ts';

export const ACCOUNTS = '/api/v1/connected_accounts';

export const UNGIVEN = {
  description: 'A body with a member that the mock does not send.',
  content: { 'application/json': { schema: { type: 'object', required: ['ungiven'] } } },
};

/** The contract, in which `replies` take the place of the success and of other responses of an operation on accounts. */
export const asking = (method: 'get' | 'post', replies: object): Contract => {
  const { document } = loadContract();
  const { [ACCOUNTS]: item = {} } = document.paths;
  const { [method]: operation } = item;
  if (!operation) throw new Error(`The contract lacks ${method} ${ACCOUNTS}.`);
  const { 200: _read, 201: _created, ...others } = operation.responses;
  const asked = { ...operation, responses: { ...others, ...replies } };
  return toContract({ ...document, paths: { ...document.paths, [ACCOUNTS]: { ...item, [method]: asked } } });
};

/** @returns the app of a mock with this contract, its environments, and what it reported so far */
export const openWith = (
  contract: Contract,
  validateResponses: ResponseValidation,
  own: { service: Service; scenario: LoadedScenario } = {
    service,
    scenario: createScenarioLoader({}).loadScenario(),
  },
) => {
  const environments = new Environments(own.service, own.scenario, 'http://mock.local');
  const told: string[] = [];
  const { app } = createApp({
    ...{ environments, contract, validateResponses },
    controlled: {
      ...{ environments, loadScenario: () => own.scenario, listScenarios: () => [] },
      ...{ version: '', uptime: () => 0 },
    },
    onReplyViolation: ({ method, url }, error) => told.push(`${method} ${url}: ${error}`),
    onInternalError: (error) => told.push(`fault: ${error}`),
    logCall: () => {},
  });
  return { app, environments, told };
};
