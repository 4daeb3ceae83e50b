import { ApiError, bodies } from '../api/client.ts';
import { notify } from '../ui/toast.tsx';
import { queryClient } from './query-client.ts';

/** Ends the session, or all sessions of the account, and forgets what was loaded. Stays on the page if that fails. */
export async function signOut(where: 'here' | 'everywhere'): Promise<void> {
  try {
    if (where === 'here') await bodies.DELETE('/cpms/v1/auth/session');
    else await bodies.DELETE('/cpms/v1/auth/sessions');
  } catch (error) {
    const hasEnded = error instanceof ApiError && error.status === 401;
    if (!hasEnded) return notify('failed', error instanceof Error ? error.message : String(error));
  }
  queryClient.clear();
  location.assign('/console/sign-in');
}
