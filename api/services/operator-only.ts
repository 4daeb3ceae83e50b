import { DomainError } from '#shared/domain/errors.ts';
import type { Caller } from './callers.ts';

/**
 * Stops a driver's key at what is the business of operators.
 * @throws {DomainError} OPERATOR_KEY_REQUIRED.
 */
export function requireOperator(caller: Caller): void {
  if (caller.userId === null) return;
  throw new DomainError('OPERATOR_KEY_REQUIRED', "This takes an operator's key; this one is a driver's.");
}
