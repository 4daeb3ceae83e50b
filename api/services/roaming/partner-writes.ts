import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { PartnerActor } from '#api/services/access/audit.ts';

/** A change of our records by a partner that was granted it. */
export interface PartnerWrite {
  networkId: number;
  method: 'PUT' | 'PATCH';
  by: PartnerActor;
}

/** Record as sent by a partner. Undefined: left out. */
export type Sent<T> = { [Name in keyof T]?: T[Name] | undefined };

/**
 * Stops a PATCH without the time of its change, which OCPI requires.
 * @throws {DomainError} VALIDATION_FAILED (2001).
 */
export function requirePresent({ method }: PartnerWrite, lastUpdated: Date | undefined, field: string): void {
  if (method === 'PATCH' && lastUpdated === undefined) throw inBody(field, 'is required');
}

/** Returns whether a partner's update is older than the stored state, because it arrived late. */
export function isStale(lastUpdated: Date | undefined, statedAt: Date): boolean {
  return lastUpdated !== undefined && lastUpdated < statedAt;
}

/**
 * Stops a body that is of another object than its path.
 * @throws {DomainError} VALIDATION_FAILED.
 */
export function requireSameId(field: string, inside: string | undefined, path: string): void {
  if (inside !== undefined && inside.toLowerCase() !== path.toLowerCase()) {
    throw inBody(field, 'must be equal to the value in the path');
  }
}

/** The error of one field of a body. */
export function inBody(field: string, message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', `Invalid body: ${field} ${message}.`, {
    errors: [{ field, message }],
  });
}
