import { type ChargerState, chargerStates } from '#shared/domain/fleet/charger-state.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { chargerStateRank } from './charger-filter.ts';

/** Number of chargers of an OCPP version in a state. */
interface FleetCount {
  state: ChargerState;
  /** Null: the charger never connected. */
  ocppVersion: string | null;
  count: number;
}

/** Counts the chargers of all networks, for metrics of the installation. */
export function countFleet(sql: Queryable): Promise<FleetCount[]> {
  return sql<FleetCount[]>`
    select (${[...chargerStates]}::text[])[counted.state] as state, ocpp_version as "ocppVersion", count from (
      select ${chargerStateRank(sql)} as state, c.ocpp_version, count(*)::integer as count
      from chargers c where c.deleted_at is null group by 1, 2
    ) counted`;
}
