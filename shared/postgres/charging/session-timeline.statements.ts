import type { TimelineEntry } from '#shared/domain/charging/session-timeline.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import type { SessionRecord } from './session-records.ts';

/** Time before the start in which commands for a session are looked for. */
const beforeStart = '10 minutes';

/** Time after the end in which they are. */
const afterEnd = '10 minutes';

type Row = Omit<TimelineEntry, 'link'> & {
  linkKind: NonNullable<TimelineEntry['link']>['kind'] | null;
  linkId: string | null;
};

/** Reads the records of PostgreSQL that a session left: starts, commands, changes, payments and documents. */
export async function readSessionTraces(
  sql: Queryable,
  session: Pick<
    SessionRecord,
    'id' | 'uuid' | 'chargerId' | 'chargerUuid' | 'transactionId' | 'idToken' | 'startedAt' | 'endedAt'
  >,
): Promise<TimelineEntry[]> {
  const { id, uuid, chargerId, chargerUuid, transactionId, idToken, startedAt, endedAt } = session;
  const rows = await sql<Row[]>`
    select time, type, source, by, status, reason, null::timestamptz as until, link_kind as "linkKind", link_id as "linkId"
    from (
      select r.requested_at as time, 'start-requested' as type, 'remote-start' as source, null::text as by, r.status,
        null::text as reason, 'remote-start' as link_kind, r.uuid::text as link_id
      from remote_starts r where r.session_id = ${id}
      union all
      select v.created_at, 'reserved', 'reservation', null, v.status, null, 'reservation', v.uuid::text
      from reservations v where v.charger_id = ${chargerId} and v.session_id = ${id}
      union all
      select r.replaced_at, 'corrected', 'session', r.replaced_by, null, r.reason, null, null
      from session_revisions r where r.session_id = ${id} and r.replaced_by is null
      union all
      select a.at, 'changed', 'audit-log', ${actorOf(sql)}, a.action, a.details ->> 'reason', 'audit-entry', a.id::text
      from audit_log a where a.resource_id = ${uuid}
      union all
      select a.at, 'command', 'audit-log', ${actorOf(sql)}, coalesce(a.details ->> 'status', a.details #>> '{error,code}'),
        a.action, 'audit-entry', a.id::text
      from audit_log a
      where a.resource_id = ${chargerUuid} and a.category = 'command' and a.action in ('remote-start', 'remote-stop')
        and a.at between ${startedAt}::timestamptz - ${beforeStart}::interval
          and coalesce(${endedAt}::timestamptz, now()) + ${afterEnd}::interval
        and (a.details #>> '{command,transactionId}' = ${transactionId}
          or (a.at <= ${startedAt}::timestamptz + interval '1 minute' and lower(a.details #>> '{command,idToken}') = lower(${idToken})))
      union all
      select t.created_at, case t.cause when 'HOLD' then 'hold-placed' when 'RELEASE' then 'hold-released' else 'paid' end,
        'wallet', null, null, t.reason, 'wallet-transaction', t.uuid::text
      from ledger_transactions t where t.session_id = ${id} and t.cause in ('HOLD', 'RELEASE', 'SESSION')
      union all
      select r.issued_at, 'receipt-issued', 'receipt', null, null, null, 'receipt', r.number
      from receipts r where r.session_id = ${id}
      union all
      select i.issued_at, 'invoice-issued', 'invoice', null, null, null, 'invoice', i.number
      from invoices i join sessions s on s.network_id = i.network_id and s.invoice_number = i.number where s.id = ${id}
      union all
      select d.created_at, case when d.credits_id is null then 'cdr-created' else 'cdr-credited' end, 'cdr', p.name, null, null,
        'cdr', d.ocpi_id
      from cdrs d join ocpi_partners p on p.id = d.partner_id where d.session_id = ${id}
    ) traces order by time limit 200`;
  return rows.map(({ linkKind, linkId, ...entry }) => ({
    ...entry,
    link: linkKind === null || linkId === null ? null : { kind: linkKind, id: linkId },
  }));
}

/** Name of who made an entry `a` of the audit log. */
const actorOf = (sql: Queryable) =>
  sql`coalesce(a.user_name, (select name from api_keys where id = a.api_key_id))`;
