import { queryClient } from './query-client.ts';

/** Ends the session, or all sessions of the account, and forgets what was loaded. */
export async function signOut(where: 'here' | 'everywhere'): Promise<void> {
  await fetch(where === 'here' ? '/cpms/v1/auth/session' : '/cpms/v1/auth/sessions', { method: 'DELETE' });
  queryClient.clear();
  location.assign('/console/sign-in');
}
