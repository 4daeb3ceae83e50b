import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** Stored state of a connector: its status, and the newest live values of the session that runs there. */
export interface StoredLiveState {
  chargerId: number;
  number: number;
  evse: number;
  connector: number;
  status: string;
  errorCode: string | null;
  statusAt: Date | null;
  /** Null without a running session, as are the fields after it. */
  sessionId: string | null;
  energyWh: number | null;
  powerW: number | null;
  socPercent: number | null;
  liveAt: Date | null;
}

/** Returns the states of the connectors of chargers, by charger and number. */
export async function readLiveStates(
  sql: Queryable,
  chargerIds: readonly number[],
): Promise<StoredLiveState[]> {
  return sql<StoredLiveState[]>`
    select k.charger_id as "chargerId", k.number, k.evse_number as evse, k.evse_connector as connector, k.status,
      k.error_code as "errorCode", k.status_at as "statusAt", s.uuid as "sessionId", s.energy_wh as "energyWh",
      s.power_w as "powerW", s.soc_percent as "socPercent", s.live_at as "liveAt"
    from connectors k
    left join lateral (
      select * from sessions
      where charger_id = k.charger_id and connector_id = k.id and status in ('ACTIVE', 'STOPPING')
      order by started_at desc limit 1
    ) s on true
    where k.charger_id = any(${[...chargerIds]}::integer[]) and k.deleted_at is null
    order by k.charger_id, k.number`;
}
