/** Handlers of the console's calls that change an environment: undo, import, links. */

import type { EnvironmentContext } from '../../engine/control/call-types.ts';
import { DONE, idOf, runIn } from '../../engine/control/handlers/shared.ts';
import { contentOf } from '../../engine/control/handlers/state.ts';
import { Refusal } from '../../engine/core/errors.ts';
import { defined } from '../../engine/core/object.ts';
import { readInstant } from '../../engine/environments/environment.ts';
import { remakeEnvironment, switchScenario } from '../../engine/environments/lifecycle.ts';
import { countChangesSince, takeUndoPoint, undoTo } from '../../engine/environments/snapshots.ts';
import { exportScenario } from '../../engine/scenario/export.ts';
import { readScenario, writeScenario } from '../../engine/scenario/text.ts';
import { createMagicLink } from '../../service/links/operations.ts';
import { createMembership, resendInvite } from '../../service/memberships/operations.ts';
import type { ConsoleHandlers } from './call-types.ts';

export const changes = {
  takeUndoPoint: (_input, { environment }) => ({ status: 201, body: { id: takeUndoPoint(environment) } }),

  getUndoPoint: ({ path }, { environment }) => ({
    status: 200,
    body: { changes: countChangesSince(environment, path.point) },
  }),

  undo: ({ path }, { environment, environments }) => {
    undoTo(environments, environment, path.point);
    return DONE;
  },

  exportScenario: ({ query }, { environment }) => {
    const content = { ...contentOf(environment), clock: environment.current.clock };
    const scenario = exportScenario(content, readInstant(environment), query.relative);
    const contentType = query.format === 'yaml' ? 'application/yaml' : 'application/json';
    return { status: 200, contentType, text: writeScenario(scenario) };
  },

  importScenario: ({ body, query: { file } }, { environment, environments, loadScenario }) => {
    const written = readFile(body.text, environment.name);
    const names = Object.keys(Object(written.environments));
    // Imports the file's environment that has the target environment's name, or else the file's first environment.
    const from = names.includes(environment.name) ? environment.name : (names[0] ?? environment.name);
    const scenario = loadScenario(written, { isFromFile: true });
    if (from === environment.name) switchScenario(environments, environment, scenario);
    else remakeEnvironment(environments, environment, { scenario, from });
    if (file !== undefined) environment.scenario = file;
    return { status: 200, body: { from } };
  },

  inviteMember: ({ body }, context) => {
    const { send_invitation_email, roles = [], inviter_email } = body;
    const member = memberOf(context, body);
    runIn(context, createMembership, {
      path: pathOf(member),
      query: defined({ send_invitation_email }),
      body: {
        ...defined({ inviter_email }),
        roles: roles.map((role) => ({ id: idOf(context, 'roles', role) })),
      },
    });
    return { status: 201, body: member };
  },

  resendInvitation: ({ path }, context) => {
    const member = memberOf(context, path);
    runIn(context, resendInvite, { path: pathOf(member), query: {}, body: {} });
    return { status: 200, body: member };
  },

  createLink: ({ body }, context) => {
    const id = idOf(context, 'connected_accounts', body.id);
    const given = { path: {}, query: {}, body: { ...body, id } };
    const made = runIn(context, createMagicLink, given);
    // `createMagicLink` throws its refusals, so a status other than 200 is a bug.
    if (made.status !== 200) throw new Error(`createMagicLink answered ${made.status}.`);
    return { status: 201, body: made.body };
  },
} satisfies Partial<ConsoleHandlers>;

interface Member {
  readonly organization_id: string;
  readonly user_id: string;
}

const memberOf = (context: EnvironmentContext, { organization_id, user_id }: Member): Member => ({
  organization_id: idOf(context, 'organizations', organization_id),
  user_id: idOf(context, 'users', user_id),
});

const pathOf = ({ organization_id, user_id }: Member) => ({ organization_id, id: user_id });

/** Reads the text of a scenario file. @throws Refusal 400 if the text is not a scenario */
const readFile = (text: string, name: string): { readonly environments?: unknown } => {
  const { value, problems } = readScenario(text);
  for (const { line, column, message } of problems)
    throw new Refusal(
      'INVALID_ARGUMENT',
      `Line ${line}, column ${column} of the file: ${message}.`,
      'Correct the file and import it again.',
    );
  if (typeof value !== 'object' || value === null)
    throw new Refusal(
      'INVALID_ARGUMENT',
      'The file is not a scenario.',
      'Choose a file that ca-mock can load.',
    );
  // A text without `environments` is the content of one environment.
  return 'environments' in value ? value : { environments: { [name]: value } };
};
