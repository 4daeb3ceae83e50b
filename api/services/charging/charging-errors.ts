import { DomainError, type ErrorCode } from '#shared/domain/kernel/errors.ts';

/**
 * What stands against a start, a stop or a restart, in the words and with the statuses that the public API names for them: 400 for
 * what is not so now, 403 for a token that may not charge. The operator API tells the same as 409.
 */
const publicCodes: Partial<Record<ErrorCode, ErrorCode>> = {
  CHARGER_OFFLINE: 'CHARGER_UNAVAILABLE',
  CHARGER_HELD: 'CHARGER_UNAVAILABLE',
  ID_TOKEN_NOT_ACCEPTED: 'ID_TOKEN_BLOCKED',
  NO_ACTIVE_SESSION: 'SESSION_NOT_RUNNING',
};

/** An error of a command as the public API tells it; `unsupported`: what a charger that cannot do it at all refuses. */
export function asPublicError(error: unknown, unsupported?: 'START_REFUSED' | 'STOP_REFUSED'): unknown {
  if (!(error instanceof DomainError)) return error;
  const code = error.code === 'COMMAND_NOT_SUPPORTED' ? unsupported : publicCodes[error.code];
  if (code === undefined) return error;
  return new DomainError(code, error.message, error.details, { cause: error });
}
