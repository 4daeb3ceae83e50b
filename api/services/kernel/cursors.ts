import { maxInt32 } from '#shared/domain/kernel/integers.ts';
import { isStorableTime } from '#shared/domain/kernel/date-time.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';

/** A place in a list that is ordered by time and, within one millisecond, by `tie` (a number of 64 bits). */
interface Position {
  time: Date;
  tie: string;
}

/** Returns a position as clients send it back. They do not read it. */
export function encodeCursor({ time, tie }: Position): string {
  return Buffer.from(`${time.getTime()}.${tie}`).toString('base64url');
}

/** Form of a decoded position. ClickHouse reads no number with leading zeros. */
const form = /^(0|[1-9]\d{0,14})\.(0|[1-9]\d{0,19})$/;

/**
 * Decodes a cursor.
 * @throws {DomainError} VALIDATION_FAILED for any other text.
 */
export function decodeCursor(cursor: string): Position {
  const match = form.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  const [, time, tie] = match ?? [];
  if (time === undefined || tie === undefined || !isStorableTime(Number(time)) || BigInt(tie) >= 2n ** 64n) {
    throw wrongCursor();
  }
  return { time: new Date(Number(time)), tie };
}

/** Error of a cursor that no page has. */
export function wrongCursor(): DomainError {
  return new DomainError(
    'VALIDATION_FAILED',
    'Invalid query: cursor must be a nextCursor of an earlier page.',
    {
      errors: [{ field: 'cursor', message: 'must be a nextCursor of an earlier page' }],
    },
  );
}

/** The place after a row in a list that is ordered by time and id, newest first; null: its beginning. */
export function decodeRowCursor(cursor: string | undefined): { time: Date; id: string } | null {
  if (cursor === undefined) return null;
  const { time, tie } = decodeCursor(cursor);
  if (BigInt(tie) >= 2n ** 63n) throw wrongCursor();
  return { time, id: tie };
}

/** The largest ids of PostgreSQL's types; of a bigint as far as a number holds it. */
const largestId = { integer: maxInt32, bigint: Number.MAX_SAFE_INTEGER };

/** The place after a row in a list that is ordered by id, which is of this type. */
export function decodeIdCursor(
  cursor: string | undefined,
  type: keyof typeof largestId = 'integer',
): number | null {
  if (cursor === undefined) return null;
  const { time, tie } = decodeCursor(cursor);
  if (time.getTime() !== 0 || BigInt(tie) > BigInt(largestId[type])) throw wrongCursor();
  return Number(tie);
}

/** As `cutPage`, for a list that is ordered by id. */
export function cutById<Row extends { id: number }>(
  rows: Row[],
  limit: number,
): { rows: Row[]; nextCursor: string | null } {
  return cutPage(rows, limit, ({ id }) => ({ time: new Date(0), tie: String(id) }));
}

/**
 * Cuts the rows of a page, of which one more than `limit` was read, and returns the start of the next page.
 * Null: this is the last.
 */
export function cutPage<Row>(
  rows: Row[],
  limit: number,
  positionOf: (row: Row) => Position,
): { rows: Row[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const isMore = rows.length > limit && last !== undefined;
  return { rows: shown, nextCursor: isMore ? encodeCursor(positionOf(last)) : null };
}
