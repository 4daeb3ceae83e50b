import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';

/** Stores the offset of a charger's local time from UTC (`local-time.ts`). */
export async function recordLocalOffset(
  transaction: Transaction,
  chargerId: number,
  minutes: number,
): Promise<void> {
  await transaction`update chargers set local_offset_minutes = ${minutes} where id = ${chargerId}`;
}

/** Returns the offsets of chargers in minutes, by id; those that are 0 are left out. */
export async function listLocalOffsets(sql: Queryable, chargerIds: number[]): Promise<Map<number, number>> {
  const rows = await sql<{ id: number; minutes: number }[]>`
    select id, local_offset_minutes as minutes from chargers
    where id = any(${chargerIds}::integer[]) and local_offset_minutes <> 0`;
  return new Map(rows.map(({ id, minutes }) => [id, minutes]));
}
