/** The state of an environment as the service that made it knows it. */
import type { Environment } from '../../engine/environments/environment.ts';
import type { State } from '../../service/state.ts';

/** The cast is safe: the service has made every state of its environments. */
export const stateOf = ({ current }: Pick<Environment, 'current'>): State => current.data as unknown as State;
