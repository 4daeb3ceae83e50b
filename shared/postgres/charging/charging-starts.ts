import type { SessionScope } from '#shared/domain/access/tenancy.ts';
import type { RemoteStartStatus } from '#shared/domain/charging/remote-start.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { inScope } from '#shared/postgres/kernel/scope.ts';

/** A start that takes its connector and its driver while it is pending. */
export interface NewStart {
  chargerId: number;
  connectorId: number;
  evse: number;
  /** Null: the token is nobody's. */
  userId: number | null;
  idToken: string;
  expiresAt: Date;
}

/**
 * Makes a start known before its charger is asked; null when another one at the connector or of the driver is pending. Of
 * two at once, one waits for the other here.
 */
export async function claimStart(
  transaction: Transaction,
  { chargerId, connectorId, evse, userId, idToken, expiresAt }: NewStart,
): Promise<{ id: bigint; uuid: string } | null> {
  await transaction`
    update remote_starts set status = 'expired'
    where status = 'pending' and expires_at <= now() and connector_id is not null
      and ((charger_id = ${chargerId} and evse = ${evse}) or user_id = ${userId}::integer)`;
  const [row] = await transaction<{ id: bigint; uuid: string }[]>`
    insert into remote_starts (charger_id, connector_id, evse, user_id, id_token, expires_at)
    values (${chargerId}, ${connectorId}, ${evse}, ${userId}, ${idToken}, ${expiresAt})
    on conflict do nothing returning id, uuid`;
  return row ?? null;
}

/**
 * Ends the wait for a session. refused: none will come; expired: one that comes all the same is still that of this
 * start.
 */
export async function endStart(sql: Queryable, uuid: string, status: 'refused' | 'expired'): Promise<void> {
  await sql`update remote_starts set status = ${status} where uuid = ${uuid} and status = 'pending'`;
}

/** A start as its driver follows it. */
export interface StartRecord {
  uuid: string;
  status: RemoteStartStatus;
  chargerUuid: string;
  chargerUid: string;
  connectorUuid: string;
  connectorNumber: number;
  idToken: string;
  requestedAt: Date;
  expiresAt: Date;
  sessionUuid: string | null;
}

/** One start in scope; null when there is none. */
export async function findStart(
  sql: Queryable,
  { networks, userId }: SessionScope,
  uuid: string,
): Promise<StartRecord | null> {
  const [row] = await sql<StartRecord[]>`
    select r.uuid, r.status, c.uuid as "chargerUuid", c.uid as "chargerUid", k.uuid as "connectorUuid",
      k.number as "connectorNumber", r.id_token as "idToken", r.requested_at as "requestedAt",
      r.expires_at as "expiresAt", s.uuid as "sessionUuid"
    from remote_starts r
    join chargers c on c.id = r.charger_id
    join connectors k on k.id = r.connector_id
    left join sessions s on s.id = r.session_id
    where r.uuid = ${uuid} and ${inScope(sql, 'c.network_id', networks)}
      ${userId === null ? sql`` : sql`and r.user_id = ${userId}`}`;
  return row ?? null;
}
