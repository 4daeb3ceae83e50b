import { type ProcessIdentity, processSilentAfterSeconds } from '#shared/domain/kernel/process-report.ts';
import type { Sql } from './client.ts';

/** Stores that an API process runs. Removes the reports of processes that are silent for an hour. */
export async function reportProcess(
  sql: Sql,
  { name, version, nodeVersion, startedAt }: ProcessIdentity,
): Promise<void> {
  await sql`
    with removed as (
      delete from api_process_reports where name <> ${name} and reported_at < now() - interval '1 hour'
    )
    insert into api_process_reports (name, version, node_version, started_at)
    values (${name}, ${version}, ${nodeVersion}, ${startedAt})
    on conflict (name) do update set version = excluded.version, node_version = excluded.node_version,
      started_at = excluded.started_at, reported_at = now()`;
}

/** Removes the report of an API process that ends. */
export async function removeProcessReport(sql: Sql, { name }: Pick<ProcessIdentity, 'name'>): Promise<void> {
  await sql`delete from api_process_reports where name = ${name}`;
}

/** Latest report of an API process. */
export interface ProcessReport extends ProcessIdentity {
  reportedAt: Date;
  /** True: no report arrived for a while. */
  isSilent: boolean;
}

/** Returns the latest reports of all API processes, by name. */
export function listProcessReports(sql: Sql): Promise<ProcessReport[]> {
  return sql<ProcessReport[]>`
    select name, version, node_version as "nodeVersion", started_at as "startedAt", reported_at as "reportedAt",
      reported_at < now() - make_interval(secs => ${processSilentAfterSeconds}) as "isSilent"
    from api_process_reports order by name`;
}
