import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/client.ts';
import { useCan } from '../../app/caller.tsx';
import { runningSessionsQuery } from './charger-queries.ts';

/** Running sessions of a charger, and whether they are known. */
export interface RunningSessions {
  sessions: readonly Schemas['OperatorSessionSummary'][];
  /** `unread`: the caller may not read them, or the last read failed; those that are left may be old. */
  state: 'reading' | 'read' | 'unread';
}

/** Returns the running sessions of a charger; none, and `unread`, when the caller may not read sessions. */
export function useRunningSessions(chargerId: string): RunningSessions {
  const mayRead = useCan('cpms:read:sessions');
  const { data, isPending, isError } = useQuery({ ...runningSessionsQuery(chargerId), enabled: mayRead });
  if (!mayRead) return { sessions: [], state: 'unread' };
  return { sessions: data ?? [], state: isError ? 'unread' : isPending ? 'reading' : 'read' };
}
