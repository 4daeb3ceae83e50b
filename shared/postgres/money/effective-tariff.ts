import type { Tariff } from '#shared/pricing/tariff.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** Levels that a tariff is assigned to; the later in this list, the closer. */
export const assignmentLevels = ['NETWORK', 'LOCATION', 'CHARGER', 'CONNECTOR'] as const;
export type AssignmentLevel = (typeof assignmentLevels)[number];

/** The tariff that applies at a place, and why. */
export interface EffectiveTariff {
  /** As a session that starts then would keep it. */
  tariff: Tariff;
  level: AssignmentLevel;
  assignmentUuid: string;
  /** Null: since ever. */
  validFrom: Date | null;
  /** Null: until another one. */
  validUntil: Date | null;
}

/**
 * Tariff of one connector, or of the charger as a whole (`connectorUuid` null: where no connector has its
 * own).
 */
export interface PlaceTariff {
  chargerId: number;
  connectorUuid: string | null;
  connectorNumber: number | null;
  /** Null: none is assigned. */
  effective: EffectiveTariff | null;
}

/**
 * Returns the tariffs in effect at chargers and each of their connectors at a time; of each charger the whole
 * first, then by number.
 * @param at null: now, by the clock of PostgreSQL, which ends assignments and decides when to notify partners
 * of it.
 */
export async function listEffectiveTariffs(
  sql: Queryable,
  chargerIds: readonly number[],
  at: Date | null,
): Promise<PlaceTariff[]> {
  const rows = await sql<(Omit<PlaceTariff, 'effective'> & Partial<EffectiveTariff>)[]>`
    select place.charger_id as "chargerId", place.uuid as "connectorUuid", place.number as "connectorNumber",
      e.document as tariff, e.level, a.uuid as "assignmentUuid",
      nullif(a.valid_from, '-infinity') as "validFrom", a.valid_until as "validUntil"
    from (
      select id as charger_id, null::integer as connector_id, null::uuid as uuid, null::integer as number
      from chargers where id = any(${chargerIds as number[]}::integer[])
      union all
      select charger_id, id, uuid, number from connectors
      where charger_id = any(${chargerIds as number[]}::integer[]) and deleted_at is null
    ) place
    left join lateral effective_tariff(place.charger_id, place.connector_id, coalesce(${at}::timestamptz, now())) e on true
    left join tariff_assignments a on a.id = e.assignment_id
    order by place.charger_id, place.number nulls first`;
  return rows.map(({ chargerId, connectorUuid, connectorNumber, ...rest }) => ({
    chargerId,
    connectorUuid,
    connectorNumber,
    effective: rest.tariff ? (rest as EffectiveTariff) : null,
  }));
}
