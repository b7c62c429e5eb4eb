/** How the console shows sign-ins. */
import type { NounView } from '../section.ts';
import { type SignInInput, signIn } from './actions.ts';

export const signInView: NounView<object> = {
  ...{ label: 'Sign-ins', one: 'sign-in', group: 'People', name: 'email', about: ['connection_id'] },
  ...{ status: 'status', columns: ['status', 'timestamp', 'client_name', 'resource_name'] },
  tones: { SUCCESS: 'good', PENDING: 'warn', FAILED: 'bad' },
  fields: [
    { name: 'email', pick: 'users', required: true },
    { name: 'outcome', pick: ['success', 'failed', 'pending', 'initiated'], required: true },
    { name: 'connection_id', label: 'Connection', pick: 'connections' },
    { name: 'client_id' },
  ],
  create: (state, given, env) => {
    const { reply, ...effects } = signIn(state, given as unknown as SignInInput, env);
    return { reply: { id: String(reply.auth_request_id) }, ...effects };
  },
};
