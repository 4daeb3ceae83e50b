import type { OcppVersion } from '#shared/domain/fleet/charger.ts';
import { lockedInOrder } from './charger-locks.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';

/** Fields of a charger's boot notification. */
export interface BootRecord {
  chargerId: number;
  vendor: string;
  model: string;
  serialNumber: string | null;
  firmwareVersion: string | null;
  ocppVersion: OcppVersion;
  reason: string | null;
  at: Date;
}

/** Stores the boots of many chargers in one statement. A charger that booted twice in a batch keeps its last. */
export async function recordBoots(sql: Sql, boots: BootRecord[]): Promise<void> {
  const rows = [...new Map(boots.map((boot) => [boot.chargerId, boot])).values()].map((boot) => ({
    ...boot,
    at: boot.at.toISOString(),
  }));
  await sql`
    with ${lockedInOrder(
      sql,
      rows.map((row) => row.chargerId),
    )}
    update chargers c set vendor = b.vendor, vendor_model = b.model,
      serial_number = coalesce(b."serialNumber", c.serial_number),
      firmware_version = coalesce(b."firmwareVersion", c.firmware_version),
      ocpp_version = b."ocppVersion", last_boot_reason = b.reason, last_boot_at = b.at,
      last_heartbeat_at = greatest(c.last_heartbeat_at, b.at), updated_at = now()
    from jsonb_to_recordset(${sql.json(rows)}) as b("chargerId" integer, vendor text, model text,
      "serialNumber" text, "firmwareVersion" text, "ocppVersion" text, reason text, at timestamptz), locked
    where c.id = b."chargerId" and c.id = locked.id`;
}

/** Number of rows locked at once: boots and statuses of the same chargers wait for them. */
const heardAtOnce = 2000;

/** Stores the last message times of these chargers (by id; ms since 1970), in few statements. */
export async function recordHeartbeats(sql: Sql, lastHeard: ReadonlyMap<number, number>): Promise<void> {
  const all = [...lastHeard];
  for (let from = 0; from < all.length; from += heardAtOnce) {
    const some = all.slice(from, from + heardAtOnce);
    const ids = some.map(([id]) => id);
    await sql`
      with ${lockedInOrder(sql, ids)}
      update chargers c set last_heartbeat_at = greatest(c.last_heartbeat_at, h.at)
      from locked, unnest(${ids}::integer[], ${some.map(([, at]) => new Date(at).toISOString())}::timestamptz[]) as h(id, at)
      where c.id = h.id and c.id = locked.id`;
  }
}
