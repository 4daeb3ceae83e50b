import type { Config } from '#shared/config/config.ts';
import type { Logger } from '#shared/log/log.ts';
import { OutageLog } from '#shared/log/outage-log.ts';
import { openPostgres, type PoolOptions, type Sql } from '#shared/postgres/kernel/client.ts';
import { primaryReads, Replica, type StaleReads } from '#shared/postgres/kernel/replica.ts';

const name = 'chargeway-api';

/** Requests wait for one of these connections. One whose store gives no byte of an answer within the time is answered 503. */
const ofRequests: PoolOptions = { name, connections: 10, timeoutMs: 15_000, endsSlowStatements: true };

/** Statements of background jobs may take longer. */
const ofJobs: PoolOptions = { name: `${name}-jobs`, connections: 4, timeoutMs: 600_000 };

/** Connections beside a pooler. */
const ofSessions: PoolOptions = { ...ofRequests, name: `${name}-sessions`, connections: 2 };

/** Pools of an API process to PostgreSQL and its replica. */
export interface ApiDatabases {
  sql: Sql;
  /** Pool whose connections keep their session. */
  sessionSql: Sql;
  staleReads: StaleReads;
  jobs: { sql: Sql; staleReads: StaleReads };
  close(): Promise<void>;
}

/** Opens the pools. They connect on first use. */
export function openDatabases(
  config: Pick<Config, 'databasePoolerUrl' | 'databaseReadUrl'>,
  databaseUrl: string,
  log: Logger,
): ApiDatabases {
  const { databasePoolerUrl: pooler, databaseReadUrl } = config;
  const sql = openPostgres(pooler ?? databaseUrl, { ...ofRequests, isPooler: pooler !== null });
  const sessionSql = pooler === null ? sql : openPostgres(databaseUrl, ofSessions);
  const jobSql = openPostgres(databaseUrl, ofJobs);
  const replica = databaseReadUrl === null ? null : openReplica(databaseUrl, databaseReadUrl, log);
  return {
    sql,
    sessionSql,
    staleReads: replica?.reads(sql, { ...ofRequests, name: `${name}-reads` }) ?? primaryReads(sql),
    jobs: {
      sql: jobSql,
      staleReads: replica?.reads(jobSql, { ...ofJobs, name: `${name}-job-reads` }) ?? primaryReads(jobSql),
    },
    async close() {
      await replica?.close();
      await Promise.all([sql, sessionSql, jobSql].map((pool) => pool.end({ timeout: 5 })));
    },
  };
}

function openReplica(primary: string, replica: string, log: Logger): Replica {
  const outages = new OutageLog(log, {
    failed: 'the read replica is unavailable or too old; its reads go to the primary',
    recovered: 'the read replica is used again',
  });
  return new Replica({ primary, replica }, outages);
}
