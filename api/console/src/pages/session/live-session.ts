import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type StreamState, useEventStream } from '../../api/event-stream.ts';
import type { LiveConnector, LiveReading } from '../charger/live-charger.ts';
import { isRunning, type Session, sessionKey } from './session-queries.ts';

interface LiveState {
  sessionId: string;
  isOnline: boolean;
  isRunning: boolean;
  connector: LiveConnector | null;
}

/** Live values of a running session. */
export interface LiveSession {
  /** Latest reading; null without one, and for a session that has ended. */
  reading: LiveReading | null;
  /** State of the connector in the words of OCPP; null until it is known. */
  status: string | null;
  isOnline: boolean;
  stream: StreamState;
}

/** Follows the live values of a session until it ends. Its end loads everything about it again. */
export function useLiveSession(session: Session): LiveSession {
  const queries = useQueryClient();
  const [last, setLast] = useState<LiveState | null>(null);
  // The page may have shown another session before.
  const state = last?.sessionId === session.id ? last : null;
  const isFollowed = isRunning(session) && state?.isRunning !== false;
  const stream = useEventStream(
    isFollowed ? `/cpms/v1/sessions/${session.id}/live` : null,
    ['live'],
    (data) => {
      const next = data as LiveState;
      setLast(next);
      if (!next.isRunning) void queries.invalidateQueries({ queryKey: sessionKey(session.id) });
    },
  );
  const connector = isRunning(session) && state !== null ? state.connector : null;
  return {
    reading: connector?.reading ?? null,
    status: connector?.status ?? null,
    isOnline: state?.isOnline ?? true,
    stream,
  };
}
