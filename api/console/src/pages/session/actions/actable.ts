import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, type Schemas } from '../../../api/client.ts';
import { isRunning, sessionKey } from '../session-queries.ts';

/** Parts of a session that its actions need. A session of a list has them too. */
export type Actable = Pick<
  Schemas['OperatorSessionSummary'],
  | 'id'
  | 'version'
  | 'startedAt'
  | 'endedAt'
  | 'energyKwh'
  | 'cost'
  | 'costUnavailable'
  | 'limits'
  | 'priceState'
  | 'status'
  | 'invoiceNumber'
  | 'review'
  | 'chargerUid'
  | 'connectorNumber'
  | 'networkUuid'
>;

/**
 * Keeps the session as it was when a dialog opened: what is sent then belongs to the version that the person saw, and the
 * server refuses it when the session has changed since.
 */
export function useOpened(session: Actable): Actable {
  const [opened] = useState(session);
  return opened;
}

/** Header that makes a change fail when another user changed the session since. */
export const unchanged = ({ version }: Actable) => ({ 'if-match': `"${version}"` });

/**
 * Runs an action on a session. Afterwards everything about it, and all lists of sessions, are read again; also when another user
 * else changed it. The action ends with the lists, so the next one is never taken on a session that has just left them.
 */
export function useSessionAction<Input, Result>(
  session: Actable,
  run: (input: Input) => Promise<Result>,
  onDone: (result: Result) => void,
): UseMutationResult<Result, Error, Input> {
  const queries = useQueryClient();
  const renew = async () => {
    void queries.invalidateQueries({ queryKey: sessionKey(session.id) });
    await queries.invalidateQueries({ queryKey: ['sessions'] });
  };
  return useMutation({
    mutationFn: run,
    onSuccess: async (result) => {
      await renew();
      onDone(result);
    },
    onError: (error) => {
      if (hasCode(error, 'PRECONDITION_FAILED')) void renew();
    },
  });
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.code === code;
}

export const canStop = (session: Actable): boolean => isRunning(session);
export const canAmend = ({ endedAt, invoiceNumber }: Actable): boolean =>
  endedAt !== null && invoiceNumber === null;
export const canApprove = ({ priceState }: Actable): boolean => priceState === 'REVIEW';
