import {
  type ShardFigures,
  type ShardIdentity,
  silentAfterSeconds,
} from '#shared/domain/fleet/shard-report.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';

/** Stores the figures of a gateway thread. Removes the figures of its predecessor in the process, and of threads that are silent for an hour. */
export async function reportShard(sql: Sql, identity: ShardIdentity, figures: ShardFigures): Promise<void> {
  const { node, gateway, shard, version, startedAt } = identity;
  await sql`
    with removed as (
      delete from gateway_shard_reports
      where node <> ${node} and ((gateway = ${gateway} and shard = ${shard}) or reported_at < now() - interval '1 hour')
    )
    insert into gateway_shard_reports (node, gateway, shard, version, started_at, figures)
    values (${node}, ${gateway}, ${shard}, ${version}, ${startedAt}, ${sql.json(figures as never)})
    on conflict (node) do update set reported_at = now(), figures = excluded.figures`;
}

/** Removes the figures of a gateway thread that ends. */
export async function removeShardReport(sql: Sql, node: string): Promise<void> {
  await sql`delete from gateway_shard_reports where node = ${node}`;
}

/** Latest report of a gateway thread. */
export interface ShardReport extends Omit<ShardIdentity, 'node'> {
  reportedAt: Date;
  /** True: no report arrived for a while. */
  isSilent: boolean;
  figures: ShardFigures;
}

/** Returns the latest reports of all gateway threads, by gateway. */
export function listShardReports(sql: Sql): Promise<ShardReport[]> {
  return sql<ShardReport[]>`
    select gateway, shard, version, started_at as "startedAt", reported_at as "reportedAt",
      reported_at < now() - make_interval(secs => ${silentAfterSeconds}) as "isSilent", figures
    from gateway_shard_reports order by gateway, shard`;
}
