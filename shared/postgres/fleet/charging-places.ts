import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** A connector that a session may start at. */
export interface ChargingPlace {
  connectorId: number;
  connectorUuid: string;
  number: number;
  evse: number;
  status: string;
  /** A session of some token runs at its EVSE; one that waits for a token is no obstacle (2.0.1 E02). */
  isBusy: boolean;
  /** The tokens and groups of tokens that it is reserved for now. */
  reservedFor: string[];
}

/** The connectors of a charger as places to charge, by number. */
export function listChargingPlaces(sql: Queryable, chargerId: number): Promise<ChargingPlace[]> {
  return sql<ChargingPlace[]>`
    select k.id as "connectorId", k.uuid as "connectorUuid", k.number, k.evse_number as evse, k.status,
      ${runsAt(sql, sql`k.charger_id`, sql`k.evse_number`)} as "isBusy",
      array(select unnest(array_remove(array[v.id_token, v.group_id_token], null)) from reservations v
        where v.charger_id = k.charger_id and v.status = 'Active' and v.expires_at > now()
          and coalesce(v.evse, k.evse_number) = k.evse_number) as "reservedFor"
    from connectors k where k.charger_id = ${chargerId} and k.deleted_at is null order by k.number`;
}

/** What stands against a start; `tokenSession`: that the token charges now, null: none. */
export async function findObstacles(
  sql: Queryable,
  start: { chargerId: number; evse: number; networkId: number; idToken: string },
): Promise<{ isBusy: boolean; tokenSession: string | null }> {
  const [row] = await sql<{ isBusy: boolean; tokenSession: string | null }[]>`
    select ${runsAt(sql, sql`${start.chargerId}::integer`, sql`${start.evse}::integer`)} as "isBusy",
      (select s.uuid from sessions s
        where s.network_id = ${start.networkId} and lower(s.id_token) = lower(${start.idToken})
          and s.status in ('ACTIVE', 'STOPPING')
        order by s.started_at desc limit 1) as "tokenSession"`;
  if (row === undefined) throw new Error('no answer');
  return row;
}

/** The condition that a session of some token runs at an EVSE of a charger. */
export const runsAt = (sql: Queryable, chargerId: ReturnType<Queryable>, evse: ReturnType<Queryable>) => sql`
  exists (
    select 1 from sessions s join connectors o on o.id = s.connector_id
    where s.charger_id = ${chargerId} and o.evse_number = ${evse} and s.status in ('ACTIVE', 'STOPPING')
      and s.id_token is not null
  )`;
