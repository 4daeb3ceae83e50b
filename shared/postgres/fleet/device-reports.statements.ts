import type { Fragment, Queryable, Sql } from '#shared/postgres/kernel/client.ts';

/** Connected charger that booted. */
export interface BootedCharger {
  id: number;
  uid: string;
  uuid: string;
  networkId: number;
  bootedAt: Date;
}

/**
 * Connected chargers whose device model was not requested since their boot: those of OCPP 2.1, in which sessions depend on it. The
 * version is a literal because a parameter would keep PostgreSQL from the index `chargers_unreported`.
 */
const unreported = (sql: Queryable): Fragment => sql`
  from chargers
  where ocpp_version = '2.1' and deleted_at is null and registration = 'Accepted'
    and connection_id is not null and disconnected_at is null
    and last_boot_at is not null and last_boot_at is distinct from device_model_boot_at`;

/** Returns the condition that the device model of a charger has to be requested. */
export function areReportsMissing(sql: Sql): Fragment {
  return sql`exists (select ${unreported(sql)})`;
}

/** Takes chargers whose device model will be requested. No process takes them again until they boot, or are returned. */
export function takeUnreportedChargers(sql: Queryable, limit: number): Promise<BootedCharger[]> {
  return sql<BootedCharger[]>`
    update chargers set device_model_boot_at = last_boot_at
    where id in (select id ${unreported(sql)} order by id limit ${limit} for update skip locked)
    returning id, uid, uuid, network_id as "networkId", last_boot_at as "bootedAt"`;
}

/** Returns a charger whose device model has to be requested again. */
export async function returnUnreportedCharger(sql: Queryable, chargerId: number): Promise<void> {
  await sql`update chargers set device_model_boot_at = null where id = ${chargerId}`;
}
