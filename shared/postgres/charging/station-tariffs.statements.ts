import { featuresOf, ocppVersions } from '#shared/domain/fleet/ocpp-version.ts';
import type { Tariff } from '#shared/pricing/tariff.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';

const calculating = ocppVersions.filter((version) => featuresOf(version).hasStationLimits);

/** EVSE of a connected station that calculates costs itself, with the tariff that is effective there now. */
export interface TariffedEvse {
  chargerId: number;
  charger: { uid: string; uuid: string; networkId: number };
  evse: number;
  /** Null: no tariff is assigned. */
  tariff: Tariff | null;
  /** Tariff that the EVSE was given last. Null: none. */
  tariffId: string | null;
}

/**
 * Lists EVSEs of connected stations whose local cost calculation is switched on (TariffCostCtrlr.Enabled[Tariff]), after this one, in
 * the order of charger and EVSE. A tariff of a connector counts for the EVSE of the connector with the lowest number.
 */
export async function listTariffedEvses(
  sql: Queryable,
  after: Pick<TariffedEvse, 'chargerId' | 'evse'>,
  limit: number,
): Promise<TariffedEvse[]> {
  return sql<TariffedEvse[]>`
    with places as (
      select distinct on (c.id, k.evse_number) c.id, c.uid, c.uuid, c.network_id, k.evse_number as evse, k.id as connector_id
      from chargers c join connectors k on k.charger_id = c.id and k.deleted_at is null
      where c.ocpp_version = any(${calculating}::text[]) and c.deleted_at is null and c.disconnected_at is null
        and (c.id, k.evse_number) > (${after.chargerId}, ${after.evse})
        and exists (select 1 from device_variables d
          where d.charger_id = c.id and lower(d.component) = 'tariffcostctrlr' and lower(d.variable) = 'enabled'
            and lower(d.variable_instance) = 'tariff' and d.attribute = 'Actual' and lower(d.value) = 'true')
      order by c.id, k.evse_number, k.number limit ${limit}
    )
    select p.id as "chargerId", jsonb_build_object('uid', p.uid, 'uuid', p.uuid, 'networkId', p.network_id) as charger, p.evse,
      e.document as tariff, t.tariff_id as "tariffId"
    from places p
    left join lateral effective_tariff(p.id, p.connector_id, now()) e on true
    left join station_tariffs t on t.charger_id = p.id and t.evse = p.evse
    order by p.id, p.evse`;
}

/** Tariff of an EVSE, with the answer of the station. */
interface StationTariff {
  evse: number;
  tariffId: string;
  status: string;
  /** Null: none. */
  reason: string | null;
}

/** Stores the tariff that an EVSE was given. */
export async function storeStationTariff(
  sql: Queryable,
  chargerId: number,
  { evse, tariffId, status, reason }: StationTariff,
): Promise<void> {
  await sql`
    insert into station_tariffs (charger_id, evse, tariff_id, status, reason, sent_at)
    values (${chargerId}, ${evse}, ${tariffId}, ${status}, ${reason}, now())
    on conflict (charger_id, evse) do update set tariff_id = excluded.tariff_id, status = excluded.status,
      reason = excluded.reason, sent_at = excluded.sent_at`;
}

/** Removes the tariff of an EVSE, which the station cleared. */
export async function removeStationTariff(sql: Queryable, chargerId: number, evse: number): Promise<void> {
  await sql`delete from station_tariffs where charger_id = ${chargerId} and evse = ${evse}`;
}
