import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { LogBounds } from '#shared/postgres/events/log-positions.ts';

/** Form of a decoded cursor. The letter tells it from the cursors of other lists. */
const form = /^e(0|[1-9]\d{0,18})$/;

/** Returns the cursor of a position, for clients that need not know its contents. */
export function eventCursor(position: bigint): string {
  return Buffer.from(`e${position}`).toString('base64url');
}

/**
 * Returns the position of a cursor.
 * @throws {DomainError} VALIDATION_FAILED for any other text.
 */
export function positionOfCursor(cursor: string): bigint {
  const [, position] = form.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (position !== undefined && BigInt(position) < 2n ** 63n) return BigInt(position);
  const message = 'must be a nextCursor of this list, or the id of an event of its stream';
  throw new DomainError('VALIDATION_FAILED', `Invalid request: cursor ${message}.`, {
    errors: [{ field: 'cursor', message }],
  });
}

/**
 * Refuses a position whose following events may have been deleted, or that the log has not reached: it is of another
 * installation, or of this one before a backup was restored.
 * @throws {DomainError} EVENTS_EXPIRED.
 */
export function requireKept(position: bigint, { newest, removedUpTo }: LogBounds): void {
  if (position >= removedUpTo && position <= newest) return;
  throw new DomainError(
    'EVENTS_EXPIRED',
    'Events after this cursor were deleted, because they are older than the retention of 7 days. Read the present ' +
      'state of the records from the other lists, and then the events without a cursor.',
  );
}
