import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import type { RemoteStartStatus } from '#shared/domain/charging/remote-start.ts';
import type { SessionScope } from '#shared/domain/access/tenancy.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';

/** Remote start as its driver follows it. */
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

/** Returns one remote start in scope that names its connector, or null. */
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

/** Remote start as the operator of its charger reads it. */
export interface RemoteStartRecord {
  uuid: string;
  idToken: string;
  connectorNumber: number | null;
  status: RemoteStartStatus;
  requestedAt: Date;
  expiresAt: Date;
  sessionUuid: string | null;
}

/** Returns one page of the remote starts of a charger, newest first. */
export async function listRemoteStarts(
  sql: Queryable,
  chargerId: number,
  { page, pageSize }: PageRequest,
): Promise<Page<RemoteStartRecord>> {
  const [rows, [count]] = await Promise.all([
    sql<RemoteStartRecord[]>`
      select r.uuid, r.id_token as "idToken", r.status, r.requested_at as "requestedAt", r.expires_at as "expiresAt",
        s.uuid as "sessionUuid",
        (select min(k.number) from connectors k
          where k.charger_id = r.charger_id and k.evse_number = r.evse and k.deleted_at is null) as "connectorNumber"
      from remote_starts r left join sessions s on s.id = r.session_id
      where r.charger_id = ${chargerId}
      order by r.id desc limit ${pageSize} offset ${(page - 1) * pageSize}`,
    sql<{ total: number }[]>`
      select count(*)::integer as total from remote_starts where charger_id = ${chargerId}`,
  ]);
  return { rows, total: count?.total ?? 0 };
}
