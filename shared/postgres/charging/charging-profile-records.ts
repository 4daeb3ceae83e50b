import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** A charging profile that a charger is known to have. */
export interface ChargingProfileRecord {
  profileId: number;
  /** 0: of the charger as a whole. */
  evse: number;
  /** Null: of the charger as a whole, or of a connector that is not known. */
  connectorNumber: number | null;
  /** ChargingLimitSourceEnumType; CSO: through us. */
  source: string;
  /** As its OCPP version writes it. */
  purpose: string;
  stackLevel: number;
  profile: Record<string, unknown>;
  reportedAt: Date;
}

/** The charging profiles that a charger is known to have: it accepted or reported them. The highest of each stack first. */
export function listChargingProfiles(sql: Queryable, chargerId: number): Promise<ChargingProfileRecord[]> {
  return sql<ChargingProfileRecord[]>`
    select p.profile_id as "profileId", p.evse, p.source, p.purpose, p.stack_level as "stackLevel", p.profile,
      p.reported_at as "reportedAt",
      (select min(k.number) from connectors k
        where k.charger_id = p.charger_id and k.evse_number = p.evse and k.deleted_at is null) as "connectorNumber"
    from charging_profiles p where p.charger_id = ${chargerId}
    order by p.evse, p.purpose, p.stack_level desc, p.profile_id limit 1000`;
}

/** Charging profile of a transaction, with the charger that it is set at. */
interface TransactionProfile {
  charger: { uid: string; uuid: string; networkId: number };
  evse: number;
  profile: Record<string, unknown>;
}

/** Lists our profiles of a transaction that its station loses in a reset: it has not reported that it keeps them (OCPP 2.1 E17.FR.15). */
export function listLostProfiles(
  sql: Queryable,
  chargerId: number,
  transactionId: string,
): Promise<TransactionProfile[]> {
  return sql<TransactionProfile[]>`
    select jsonb_build_object('uid', c.uid, 'uuid', c.uuid, 'networkId', c.network_id) as charger, p.evse, p.profile
    from charging_profiles p join chargers c on c.id = p.charger_id
    where p.charger_id = ${chargerId} and p.source = 'CSO' and p.purpose = 'TxProfile'
      and p.profile ->> 'transactionId' = ${transactionId}
      and not exists (
        select from device_variables d
        where d.charger_id = c.id and lower(d.component) = 'smartchargingctrlr' and d.attribute = 'Actual'
          and lower(d.variable) = 'chargingprofilepersistence' and lower(d.variable_instance) = 'txprofile'
          and lower(d.value) = 'true')
    order by p.profile_id`;
}

/** A number for a new charging profile: OCPP wants an integer. */
export async function nextChargingProfileId(sql: Queryable): Promise<number> {
  const [row] = await sql<{ id: number }[]>`select nextval('ocpp_charging_profile_id')::integer as id`;
  if (row === undefined) throw new Error('the sequence gave no number');
  return row.id;
}
