import { addLocation } from '#api/test/support/records.ts';
import { seedCharger, type SeededCharger } from '#shared/testing/seed.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';

/** A charger with two connectors at a published location, with the names that partners see. */
export interface SeededPlace {
  charger: SeededCharger;
  locationId: string;
  /** Of EVSE 1 and 2; each has one connector, `1`. */
  evseUids: [string, string];
}

/** Puts a charger of this network, or a new one, at a new location. */
export async function seedPlace(
  sql: Sql,
  networkId: number,
  options: { charger?: SeededCharger; ocppVersion?: '1.6' | '2.0.1'; isPublished?: boolean } = {},
): Promise<SeededPlace> {
  const { ocppVersion = '1.6', isPublished = true } = options;
  const charger = options.charger ?? (await seedCharger(sql, networkId, { ocppVersion, connectors: 2 }));
  const { id, uuid } = await addLocation(sql, networkId, { isPublished });
  await sql`update chargers set location_id = ${id}, is_public = true where id = ${charger.id}`;
  const evses = await sql<{ uid: string }[]>`
    select uid from evses where charger_id = ${charger.id} order by number`;
  const [first, second] = evses;
  if (first === undefined || second === undefined) throw new Error('the charger has no two EVSEs');
  return { charger, locationId: uuid, evseUids: [first.uid, second.uid] };
}
