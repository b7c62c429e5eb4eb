/**
 * The log of authentication requests, in order of time: an entry for each accepted invitation (behaviour M8), simulated
 * sign-in, and row of a scenario. An entry keeps its status: INITIATED, PENDING, SUCCESS or FAILED.
 *
 * Rule: L1 filters, order and members.
 */
import { parseTimestamp, toTimestamp } from '../engine/core/clock.ts';
import { type FieldViolation, invalidField } from '../engine/core/errors.ts';
import { absolute, FIRST_RELATIVE_TEXT, fromSortable, resolve, wireTime } from '../engine/core/moment.ts';
import { defined } from '../engine/core/object.ts';
import { readPage } from '../engine/core/page.ts';
import {
  getRow,
  listPositions,
  type Position,
  putRow,
  type Selection,
  select,
  takeSelected,
} from '../engine/core/table.ts';
import { cut } from '../engine/core/text.ts';
import { extend, type FormOf, oneOf, TOKEN } from '../engine/scenario/schema.ts';
import { findNamed } from '../engine/scenario/section.ts';

import { CONNECTION, connectorKind, requireConnection } from './connections.ts';
import type { InputFor, Schemas } from './contract.ts';
import { findUserByEmail, ORGANIZATION, putUser } from './directory.ts';
import { membershipsOf } from './memberships/operations.ts';
import type { AuthLogRow, ConnectionRow, State } from './state.ts';
import {
  type ControlBody,
  contract,
  type Env,
  type NounSection,
  type NounView,
  type Operation,
  type ServiceChange,
} from './types.ts';

/** The rows of the largest page (behaviour I3). */
const MOST_ROWS = 100;

type Query = InputFor<'listAuthenticationRequests'>['query'];

/** A page of the log, newest first. Its entries match all filters and have one of the requested statuses. */
export const listAuthenticationRequests: Operation<'listAuthenticationRequests'> = (
  state,
  { query },
  env,
) => {
  const { rows, ...page } = readPage({
    page_token: query.page_token,
    page_size: Math.min(query.page_size ?? 0, MOST_ROWS),
    list: 'listAuthenticationRequests',
    filters: readFilters(query),
    violations: timeViolations(query),
    select: ({ start_time, end_time, status, ...where }) => {
      const [from, to] = readBounds(start_time, end_time);
      const isWithin = ({ timestamp }: AuthLogRow): boolean => {
        const time = resolve(timestamp, env.start);
        return from <= time && time <= to;
      };
      const indexes = { ...where, status: status.length > 0 ? status : undefined };
      const hasBounds = start_time !== undefined || end_time !== undefined;
      const selection = select(state.authentication_requests, indexes, hasBounds ? isWithin : undefined);
      return latestFirst(selection, env.start);
    },
  });
  return { status: 200, body: { authRequests: rows.map((row) => presentEntry(row, env)), ...page } };
};

/** Filters in a normal form: a page token stays valid if a request sends them in another case, format or order. */
const readFilters = ({ email, status = [], resource_id, client_id, start_time, end_time }: Query) => ({
  email: email?.toLowerCase(),
  status: [...new Set(status.map((each) => each.toUpperCase()))].sort(),
  resource_id,
  client_id,
  start_time: respell(start_time),
  end_time: respell(end_time),
});

const respell = (text = ''): string | undefined => {
  const time = parseTimestamp(text);
  return time === undefined ? undefined : toTimestamp(time);
};

const readBounds = (start = '', end = '') =>
  [parseTimestamp(start) ?? -Infinity, parseTimestamp(end) ?? Infinity] as const;

/** Refuses bounds in the wrong order, and days such as 30 February, which the contract's pattern allows. */
const timeViolations = ({ start_time, end_time }: Query): FieldViolation[] => {
  const [from, to] = readBounds(start_time, end_time);
  if (from > to) {
    const description = `start_time "${cut(String(start_time))}" is after end_time "${cut(String(end_time))}". Swap them, or leave one out.`;
    return [{ field: 'start_time', constraint: 'order', rule: 'L1', description }];
  }
  return Object.entries({ start_time, end_time }).flatMap(([field, text]) => {
    if (text === undefined || parseTimestamp(text) !== undefined) return [];
    const description = `${field} "${cut(text)}" is not an RFC 3339 date-time. Write it as 2026-01-31T12:00:00Z.`;
    return [{ field, constraint: 'date-time', rule: 'L1', description }];
  });
};

/**
 * The selected entries, newest first. The table sorts absolute moments before relative ones, so each set is split in
 * two, one for each kind of moment, and `compare` merges all sets by time.
 * @param start when the environment started, in epoch milliseconds
 */
export const latestFirst = (selection: Selection<AuthLogRow>, start: number): Selection<AuthLogRow> => ({
  ...selection,
  sets: selection.sets.flatMap((set) => {
    const positions = listPositions(set).toReversed();
    const middle = positions.findLastIndex((position) => position >= FIRST_RELATIVE_TEXT) + 1;
    return [positions.slice(0, middle), positions.slice(middle)];
  }),
  compare: (left, right) => {
    const [leftTime, leftSequence] = readPosition(left, start);
    const [rightTime, rightSequence] = readPosition(right, start);
    return rightTime - leftTime || rightSequence - leftSequence; // entries of one instant stay in the order of logging
  },
});

const readPosition = (position: Position, start: number): readonly [time: number, sequence: number] => {
  const [moment = '', sequence = ''] = String(position).split('.');
  return [resolve(fromSortable(moment), start), Number(sequence)];
};

/** A sign-in attempt that is not yet in the log. `recordAttempt` adds its id and time. */
export type SignInAttempt = Omit<AuthLogRow, 'auth_request_id' | 'timestamp'> & { readonly email: string };

/** Logs a sign-in at the current time; a success sets the user's `last_login_time` (behaviour L1). */
export const recordAttempt = (
  state: State,
  attempt: SignInAttempt,
  env: Env,
): { readonly state: State; readonly entry: AuthLogRow; readonly change: ServiceChange } => {
  const entry = { auth_request_id: env.token(), timestamp: absolute(env.now), ...attempt };
  const logged = { ...state, authentication_requests: putRow(state.authentication_requests, entry) };
  const user = attempt.status === 'SUCCESS' ? findUserByEmail(state, attempt.email) : undefined;
  const { auth_request_id, status } = entry;
  return {
    entry,
    state: user ? putUser(logged, { ...user, last_login_time: entry.timestamp }) : logged,
    change: { type: 'authentication_request.created', resource: { auth_request_id }, to: status },
  };
};

/** The part of a log entry that describes the connection. */
export const connectionMembers = ({ id, provider, type, organization_id }: ConnectionRow) => {
  const members = {
    connection_id: id,
    connection_provider: provider,
    connection_type: type,
    ...defined({ organization_id }),
  };
  return { ...members, connection_details: [members] };
};

export const presentEntry = (row: AuthLogRow, env: Env): Schemas['AuthenticationRequest'] => ({
  ...row,
  environment_id: env.environment.id,
  timestamp: wireTime(row.timestamp, env),
});

type SignIn = ControlBody<'signIn'>;

/**
 * Logs a sign-in. If no user has the e-mail address, the sign-in is logged all the same, and no user is created.
 * @throws Refusal 404 for an unknown connection, 400 for a connector, because users cannot sign in through connectors
 */
export const signIn = (state: State, given: SignIn, env: Env) => {
  const attempt: SignInAttempt = {
    ...personOf(state, given.email),
    ...(given.client_id !== undefined && clientOf(state, given.client_id, env)),
    // The connection's organization, if any, replaces the user's organization.
    ...(given.connection_id !== undefined &&
      connectionMembers(requireSignIn(requireConnection(state, given.connection_id)))),
    workflow: 'SIGN_IN',
    status: given.outcome.toUpperCase() as Uppercase<SignIn['outcome']>, // an outcome is a status in lower case
  };
  const { state: next, entry, change } = recordAttempt(state, attempt, env);
  return { reply: presentEntry(entry, env), state: next, changes: [change] };
};

const requireSignIn = (connection: ConnectionRow): ConnectionRow => {
  if (!connectorKind(connection)) return connection;
  const problem = `Users cannot sign in through ${connection.key_id}, a connection of type ${connection.type}.`;
  const advice = 'Choose a connection of type OIDC, SAML, PASSWORD, PASSWORDLESS or WEBAUTHN.';
  throw invalidField('connection_id', 'type', problem, advice);
};

/** The user's e-mail address as stored, and the first organization of which the user is an active member. */
const personOf = (state: State, email: string): Pick<SignInAttempt, 'email' | 'organization_id'> => {
  const user = findUserByEmail(state, email);
  if (!user) return { email };
  const active = membershipsOf(state, user.id).find(({ stored_status }) => stored_status === 'ACTIVE');
  return { email: user.email, ...(active && { organization_id: active.organization_id }) };
};

/** The client as its latest log entry describes it. Without an entry, only the client's id and name. */
const clientOf = (state: State, client_id: string, env: Env): Partial<SignInAttempt> => {
  const entries = latestFirst(select(state.authentication_requests, { client_id }), env.start);
  const [latest] = takeSelected(entries, 1, 'forward');
  const { client_name, client_type, resource_id, resource_name, resource_type } = latest?.row ?? {};
  return defined({
    client_id,
    client_name: client_name ?? getRow(state.clients, client_id)?.name,
    client_type,
    resource_id,
    resource_name,
    resource_type,
  });
};

const FORM = extend(contract('AuthenticationRequest'), {
  auth_request_id: TOKEN,
  organization_id: ORGANIZATION.schema,
  connection_id: CONNECTION.schema,
  client_type: oneOf('ENV', 'NTV', 'SPA', 'M2M'),
});

export const logsSection: NounSection<'authentication_requests', FormOf<typeof FORM>> = {
  name: 'authentication_requests',
  noun: 'sign-in log entry',
  example: '{ email: ada@acme.test, status: SUCCESS, timestamp: -1h }',
  idMember: 'auth_request_id',
  references: { organization_id: ORGANIZATION, connection_id: CONNECTION },
  names: (row) =>
    [row, ...(row.connection_details ?? [])].flatMap(({ connection_id, organization_id }) => [
      `connections/${connection_id}`,
      `organizations/${organization_id}`,
    ]),
  schema: FORM,
  replaces: { connection_id: ['connection_details'] },
  toRow: (open, written) => {
    const { environment_id = open.environmentId, timestamp, connection_details, ...form } = written.form;
    if (environment_id !== open.environmentId)
      written.problem('environment_id', `must be ${open.environmentId}`);
    const used = getRow(open.state.connections, form.connection_id ?? '');
    const members = used && connectionMembers(used);
    const details = connection_details?.map((detail, index) => {
      const place = (member: string) => ['connection_details', index, member];
      const connection = findNamed(open, written, place('connection_id'), CONNECTION, detail.connection_id);
      const named = findNamed(open, written, place('organization_id'), ORGANIZATION, detail.organization_id);
      const organization_id = named?.id ?? connection?.organization_id;
      const facts = connection && connectionMembers(connection).connection_details[0];
      return { ...detail, ...facts, ...defined({ organization_id }) };
    });
    return {
      status: 'SUCCESS' as const,
      ...members,
      ...form,
      ...(used && { connection_provider: used.provider, connection_type: used.type }),
      ...(details && { connection_details: details }),
      auth_request_id: open.token(form.auth_request_id),
      timestamp: open.momentOr(timestamp, open.now),
    };
  },
  /** From the oldest to the newest entry, so that entries with equal times keep their order when they are loaded. */
  inOrder: ({ authentication_requests }, { start }) => {
    const selection = latestFirst(select(authentication_requests, {}), start);
    return takeSelected(selection, Infinity, 'backward').map(({ row }) => row);
  },
  toForm: (_, { timestamp, ...row }, { time }) => ({ ...row, timestamp: time(timestamp) }),
};

export const signInView: NounView<object> = {
  label: 'Sign-ins',
  one: 'sign-in',
  group: 'People',
  name: 'email',
  about: ['connection_id'],
  status: 'status',
  columns: ['status', 'timestamp', 'client_name', 'resource_name'],
  tones: { SUCCESS: 'good', PENDING: 'warn', FAILED: 'bad' },
  fields: [
    { name: 'email', pick: 'users', required: true },
    { name: 'outcome', pick: ['success', 'failed', 'pending', 'initiated'], required: true },
    { name: 'connection_id', label: 'Connection', pick: 'connections' },
    { name: 'client_id' },
  ],
  create: (state, given, env) => {
    const { reply, ...effects } = signIn(state, given as unknown as SignIn, env);
    return { reply: { id: String(reply.auth_request_id) }, ...effects };
  },
};
