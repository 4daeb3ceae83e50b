import { randomUUID } from 'node:crypto';
import type { PublicEventType } from '#shared/domain/events/event-types.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { assignPositions, type NewEvent, recordEvents } from '#shared/postgres/kernel/outbox.statements.ts';

/** Returns an event of a network, with a subject of its own unless one is given. */
export function newEvent(
  networkId: number | null,
  type: PublicEventType,
  more: Partial<NewEvent> = {},
): NewEvent {
  return { type, networkId, subjectId: 1, subjectUuid: randomUUID(), ...more };
}

/** Writes events in one transaction, as any change of the product does. They have no position yet. */
export async function writeEvents(sql: Sql, events: NewEvent[]): Promise<void> {
  await sql.begin((transaction) => recordEvents(transaction, events));
}

/** Writes numbered events of a network, a transaction for each `perTransaction` of them. */
export async function writeNumbered(
  sql: Sql,
  networkId: number,
  count: number,
  perTransaction = 500,
  more: Partial<NewEvent> = {},
): Promise<void> {
  for (let first = 0; first < count; first += perTransaction) {
    const numbers = Array.from({ length: Math.min(perTransaction, count - first) }, (_, at) => first + at);
    await writeEvents(
      sql,
      numbers.map((number) => newEvent(networkId, 'driver.updated', { data: { number }, ...more })),
    );
  }
}

/** Gives positions to what was written. */
export const assign = (sql: Sql) => assignPositions(sql);

/** Deletes what was written so far: the events of a test's own records. */
export async function forgetEvents(sql: Sql): Promise<void> {
  await sql`delete from outbox`;
}
