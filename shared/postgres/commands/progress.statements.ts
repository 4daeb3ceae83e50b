import {
  idleStatus,
  installedStatus,
  installingStatuses,
  type ReceivedReport,
} from '#shared/domain/commands/charger-reports.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import { rounds } from '#shared/postgres/kernel/rounds.ts';

/** Tables of long-running work of chargers: the request, and the history of its statuses. */
interface ProgressTables {
  asked: 'firmware_updates' | 'log_uploads';
  history: 'firmware_update_statuses' | 'log_upload_statuses';
  /** Statuses after which Idle means success. */
  endsIdle: readonly string[];
}

export const firmwareProgress: ProgressTables = {
  asked: 'firmware_updates',
  history: 'firmware_update_statuses',
  endsIdle: installingStatuses,
};

export const logProgress: ProgressTables = {
  asked: 'log_uploads',
  history: 'log_upload_statuses',
  endsIdle: [],
};

/**
 * Applies a status to the newest update or upload of its charger that can take it, the one with its requestId where it has one.
 * Every status is kept in the history, except a repetition of the last.
 *
 * | The update or upload | takes | and becomes |
 * | --- | --- | --- |
 * | open | any status but Idle | open, succeeded or failed, by the status |
 * | open, installing | Idle | succeeded (Installed) |
 * | failed within a day | any status but Idle: chargers retry | open, succeeded or failed, by the status |
 * | succeeded within a day, by Idle or by a boot (`recordBoots`) | a final status | succeeded or failed, by the status |
 * | succeeded or refused otherwise | nothing | |
 */
export async function recordProgress(
  transaction: Transaction,
  { asked, history, endsIdle }: ProgressTables,
  reports: ReceivedReport<'firmware-status' | 'log-status'>[],
): Promise<void> {
  for (const round of rounds(reports)) {
    await transaction`
      with said as (
        select r.*, a.id as "askedId",
          case when r.status = ${idleStatus} and a.id is not null then ${installedStatus} else r.status end as "newStatus",
          case when r.status = ${idleStatus} and a.id is not null then 'succeeded' else r.outcome end as "newOutcome"
        from jsonb_to_recordset(${transaction.json(round as never)}) as r("chargerId" integer, kind text,
          "requestId" integer, status text, outcome text, "receivedAt" timestamptz)
        left join lateral (
          select a.id from ${transaction(asked)} a
          where a.charger_id = r."chargerId" and a.kind = r.kind
            and (r."requestId" is null or a.request_id = r."requestId")
            and (r.status <> ${idleStatus} or (a.closed_at is null and a.status = any(${[...endsIdle]}::text[])))
            -- What the charger refused it does not report on.
            and a.status <> 'Rejected'
            and (a.closed_at is null or (a.closed_at > r."receivedAt" - interval '1 day'
              and (a.outcome = 'failed' or (r.outcome is not null and not exists (
                select from ${transaction(history)} h where h.update_id = a.id and h.status = a.status)))))
          order by a.id desc limit 1
        ) a on true
      ), reported as (
        insert into ${transaction(history)} (charger_id, update_id, kind, request_id, status, received_at)
        select s."chargerId", s."askedId", s.kind, s."requestId", s.status, s."receivedAt" from said s
        where not exists (
          select 1 from (
            select h.status, h.update_id, h.request_id from ${transaction(history)} h
            where h.charger_id = s."chargerId" and h.kind = s.kind order by h.id desc limit 1
          ) last
          where last.status = s.status and last.request_id is not distinct from s."requestId"
            and (s."askedId" is null or last.update_id = s."askedId"))
        returning charger_id, kind, request_id, status
      ) ${asked === 'firmware_updates' ? firmwareEvents(transaction) : transaction``}
      update ${transaction(asked)} a set status = s."newStatus", status_at = s."receivedAt", outcome = s."newOutcome",
        closed_at = case when s."newOutcome" is null then null else s."receivedAt" end
      from said s where a.id = s."askedId" and a.status <> s."newStatus"`;
  }
}

/** Writes the events of the statuses that `reported` stored; each charger has one in a round. */
const firmwareEvents = (sql: Transaction) => sql`
  , events as (
    insert into outbox (network_id, type, subject_id, subject_uuid, charger_id, data)
    select c.network_id, 'charger.firmware_changed', c.id, c.uuid, c.id, jsonb_build_object('kind', r.kind,
      'requestId', r.request_id, 'status', s."newStatus", 'outcome', s."newOutcome", 'firmwareVersion', c.firmware_version)
    from reported r join said s on s."chargerId" = r.charger_id join chargers c on c.id = r.charger_id
  )`;
