import type { SessionMark, SessionOrder } from '#shared/domain/charging/session-order.ts';
import { isStorableTime } from '#shared/domain/kernel/date-time.ts';
import type { OrderedSession } from '#shared/postgres/charging/ordered-sessions.ts';
import { cutPage, decodeRowCursor, wrongCursor } from '#api/services/kernel/cursors.ts';

/** Start of a page of sessions in an order. */
interface SessionPageStart {
  /** Null: the list begins. */
  after: SessionMark | null;
  /** Time until which running sessions count as lasting: that of the first page. */
  asOf: Date;
}

const isByStart = ({ by }: SessionOrder) => by === 'startedAt';

/** Number as text, such as 12500, -1 or 1.25e+21. */
const number = String.raw`-?\d{1,20}(?:\.\d{1,20})?(?:e[+-]?\d{1,3})?`;
const pattern = new RegExp(String.raw`^([a-zA-Z-]+):(${number}):(\d{1,15}):(\d{1,19})$`);

/**
 * Decodes a cursor of a list in this order.
 * @throws {DomainError} VALIDATION_FAILED for any other text, and for a cursor of another order.
 */
export function decodeSessionCursor(cursor: string | undefined, order: SessionOrder): SessionPageStart {
  if (cursor === undefined) return { after: null, asOf: new Date() };
  if (isByStart(order)) {
    const after = decodeRowCursor(cursor);
    return { after: after && { key: String(after.time.getTime()), id: after.id }, asOf: new Date() };
  }
  const match = pattern.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  const [, sort, key, asOf, id] = match ?? [];
  if (sort !== nameOf(order) || key === undefined || asOf === undefined || id === undefined) {
    throw wrongCursor();
  }
  const isInteger = order.by !== 'energy';
  const isStorable = Number.isFinite(Number(key)) && isBigint(id) && (!isInteger || isBigint(key));
  if (!isStorable || !isStorableTime(Number(asOf))) throw wrongCursor();
  return { after: { key, id }, asOf: new Date(Number(asOf)) };
}

/** Cuts a page off sessions of which one more than `limit` was read. */
export function cutSessionPage(
  found: OrderedSession[],
  limit: number,
  order: SessionOrder,
  asOf: Date,
): { rows: OrderedSession[]; nextCursor: string | null } {
  if (isByStart(order)) {
    return cutPage(found, limit, ({ key, id }) => ({ time: new Date(Number(key)), tie: String(id) }));
  }
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  if (found.length <= limit || last === undefined) return { rows, nextCursor: null };
  const text = `${nameOf(order)}:${last.key}:${asOf.getTime()}:${last.id}`;
  return { rows, nextCursor: Buffer.from(text).toString('base64url') };
}

const nameOf = ({ by, isAscending }: SessionOrder) => `${isAscending ? '' : '-'}${by}`;

/** Returns true for an integer of 64 bits. */
function isBigint(text: string): boolean {
  return /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}
