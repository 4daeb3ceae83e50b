import type { AuthMethod } from '#shared/domain/roaming/roaming.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';

/** Charging preferences of a driver (OCPI 2.2.1 §9.3.2), in OCPI's names. */
export type ChargingPreferences = {
  profile_type: 'CHEAP' | 'FAST' | 'GREEN' | 'REGULAR';
  departure_time?: string;
  /** kWh. */
  energy_need?: number;
  discharge_allowed?: boolean;
};

/** Marks a running session as stopping: the charger accepted a remote stop; its own stop ends the session. */
export async function markStopping(sql: Queryable, sessionUuid: string): Promise<void> {
  await sql`
    update sessions set status = 'STOPPING', updated_at = now()
    where uuid = ${sessionUuid} and status = 'ACTIVE'`;
}

/** Stores the fields that a partner changed of its session; undefined ones stay. A patch older than the last one changes nothing. */
export async function patchPartnerSession(
  sql: Queryable,
  id: bigint,
  {
    authMethod,
    authorizationReference: reference,
    meterId,
    saidAt,
  }: {
    authMethod: AuthMethod | undefined;
    authorizationReference: string | null | undefined;
    meterId: string | null | undefined;
    saidAt: Date;
  },
): Promise<void> {
  await sql`
    update sessions set ${authMethod === undefined ? sql`` : sql`auth_method = ${authMethod},`}
      ${reference === undefined ? sql`` : sql`authorization_reference = ${reference},`}
      ${meterId === undefined ? sql`` : sql`meter_id = ${meterId},`}
      ocpi_patched_at = ${saidAt}, updated_at = now()
    where id = ${String(id)}::bigint and (ocpi_patched_at is null or ocpi_patched_at <= ${saidAt})`;
}

/** Stores the charging preferences of a running session. Returns false when it has ended. */
export async function setChargingPreferences(
  sql: Queryable,
  id: bigint,
  preferences: ChargingPreferences,
): Promise<boolean> {
  const { count } = await sql`
    update sessions set charging_preferences = ${sql.json(preferences)}, updated_at = now()
    where id = ${String(id)}::bigint and status in ('ACTIVE', 'STOPPING')`;
  return count > 0;
}

/** Withdraws the authorization that a partner's START_SESSION gave a session, whose token then has none. */
export async function withdrawCommand(transaction: Transaction, sessionId: bigint): Promise<void> {
  await transaction`
    update sessions set auth_method = 'WHITELIST', authorization_reference = null where id = ${sessionId}`;
}
