import type { Registration } from '#shared/domain/fleet/registration.ts';
import { chargerEvent } from '#shared/postgres/fleet/charger-records.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** Reads the registration of a charger; null: the charger was removed. */
export async function findRegistration(sql: Queryable, chargerId: number): Promise<Registration | null> {
  const [row] = await sql<{ registration: Registration }[]>`
    select registration from chargers where id = ${chargerId} and deleted_at is null`;
  return row?.registration ?? null;
}

/** Stores the registration of a charger and returns the charger's new version. */
export async function storeRegistration(
  sql: Queryable,
  chargerId: number,
  registration: Registration,
): Promise<number> {
  const [row] = await sql<{ version: number }[]>`
    with updated as (
      update chargers set registration = ${registration}, version = version + 1, updated_at = now()
      where id = ${chargerId} returning *
    ), event as (${chargerEvent(sql, 'charger.updated', sql`updated`)})
    select version from updated`;
  if (row === undefined) throw new Error('the charger that was locked is gone');
  return row.version;
}
