import type { RemoteStartAsked } from '#shared/domain/commands/command-effects.ts';
import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import type { RemoteStartStatus } from '#shared/domain/charging/remote-start.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { wasOverBefore } from './taken-back-starts.ts';

/** A session that was asked for, and what became of it. */
export interface RemoteStartRecord {
  uuid: string;
  idToken: string;
  connectorNumber: number | null;
  status: RemoteStartStatus;
  requestedAt: Date;
  expiresAt: Date;
  sessionUuid: string | null;
}

/** Keeps that a session is asked for, before the charger hears of it; answers with the row's id. */
export async function insertRemoteStart(
  sql: Queryable,
  chargerId: number,
  { idToken, evse, remoteStartId }: RemoteStartAsked,
  expiresAt: Date,
): Promise<bigint> {
  const [row] = await sql<{ id: bigint }[]>`
    insert into remote_starts (charger_id, id_token, evse, remote_start_id, expires_at)
    values (${chargerId}, ${idToken}, ${evse}, ${remoteStartId}, ${expiresAt})
    returning id`;
  if (row === undefined) throw new Error('the insert of a remote start returned no row');
  return row.id;
}

/**
 * Completes a start that was known before its charger is asked (`claimStart`) with what the charger is asked; answers
 * with the row's id.
 */
export async function askRemoteStart(
  sql: Queryable,
  uuid: string,
  remoteStartId: number | null,
  expiresAt: Date,
): Promise<bigint> {
  const [row] = await sql<{ id: bigint }[]>`
    update remote_starts set remote_start_id = ${remoteStartId}, expires_at = ${expiresAt}
    where uuid = ${uuid} returning id`;
  if (row === undefined) throw new Error(`there is no start ${uuid}`);
  return row.id;
}

/** The charger said no. */
export async function refuseRemoteStart(sql: Queryable, id: bigint): Promise<void> {
  await sql`update remote_starts set status = 'refused' where id = ${id} and status = 'pending'`;
}

/**
 * Binds a session that began to the remote start that asked for it: by its remoteStartId (2.0.1), else by token
 * and connector, the newest first. One that came too late still binds to what expired within the last hour, unless a
 * newer start waits or led to a session, and one that a plugged cable began before it was asked for (E02) to the start
 * that it names.
 */
export async function bindRemoteStart(
  sql: Queryable,
  chargerId: number,
  session: { uuid: string; idToken: string | null; evse: number; remoteStartId: number | null },
): Promise<void> {
  const { uuid, idToken, evse, remoteStartId } = session;
  await sql`
    update remote_starts r set status = 'started', session_id = s.id
    from sessions s
    where s.uuid = ${uuid} and not exists (select 1 from remote_starts where session_id = s.id) and r.id = (
      select id from remote_starts asked
      where charger_id = ${chargerId} and status in ('pending', 'expired')
        and requested_at >= s.created_at - interval '1 hour'
        and case when ${remoteStartId}::integer is null
          -- A start that is told again is no answer to what was asked since.
          then requested_at <= s.created_at and not ${wasOverBefore(sql, sql`requested_at`)}
            and lower(id_token) = lower(${idToken}) and coalesce(evse, ${evse}) = ${evse}
            and (status = 'pending' or not exists (
              select 1 from remote_starts
              where charger_id = ${chargerId} and id > asked.id and status = 'started'
                and lower(id_token) = lower(${idToken}) and coalesce(evse, ${evse}) = ${evse}))
          else remote_start_id = ${remoteStartId} end
      order by (status = 'pending') desc, id desc limit 1 for update)`;
}

/** Ends the wait for sessions that never began (field note 21); answers how many. */
export async function expireRemoteStarts(sql: Queryable): Promise<number> {
  const { count } = await sql`
    update remote_starts set status = 'expired' where status = 'pending' and expires_at <= now()`;
  return count;
}

/** One page of what was asked of a charger, newest first. */
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
