import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** Connected charger that booted. */
export interface BootedCharger {
  id: number;
  uid: string;
  uuid: string;
  networkId: number;
  bootedAt: Date;
}

/**
 * Lists connected chargers whose device model was not requested since their boot, after this one, by id: those of OCPP 2.1, in which
 * sessions depend on it. The version is a literal because a parameter would keep PostgreSQL from the index `chargers_unreported`.
 */
export function listUnreportedChargers(
  sql: Queryable,
  after: number,
  limit: number,
): Promise<BootedCharger[]> {
  return sql<BootedCharger[]>`
    select id, uid, uuid, network_id as "networkId", last_boot_at as "bootedAt" from chargers
    where ocpp_version = '2.1' and deleted_at is null and registration = 'Accepted'
      and connection_id is not null and disconnected_at is null
      and last_boot_at is not null and last_boot_at is distinct from device_model_boot_at and id > ${after}
    order by id limit ${limit}`;
}

/** Stores the boot after which the device model of a charger was requested. */
export async function markReportRequested(sql: Queryable, chargerId: number, bootedAt: Date): Promise<void> {
  await sql`update chargers set device_model_boot_at = ${bootedAt} where id = ${chargerId}`;
}
