import { DomainError, type ErrorCode } from '#shared/domain/kernel/errors.ts';

/**
 * Error codes of the public API for the obstacles to a start, a stop or a restart: 400 for a state that does
 * not allow it, 403 for a token that is not authorized. The operator API answers 409 for the same.
 */
const publicCodes: Partial<Record<ErrorCode, ErrorCode>> = {
  CHARGER_OFFLINE: 'CHARGER_UNAVAILABLE',
  CHARGER_HELD: 'CHARGER_UNAVAILABLE',
  ID_TOKEN_NOT_ACCEPTED: 'ID_TOKEN_BLOCKED',
  NO_ACTIVE_SESSION: 'SESSION_NOT_RUNNING',
};

/** Returns the error of a command with its public code. `unsupported`: the code for a charger without this command. */
export function asPublicError(error: unknown, unsupported?: 'START_REFUSED' | 'STOP_REFUSED'): unknown {
  if (!(error instanceof DomainError)) return error;
  const code = error.code === 'COMMAND_NOT_SUPPORTED' ? unsupported : publicCodes[error.code];
  if (code === undefined) return error;
  return new DomainError(code, error.message, error.details, { cause: error });
}
