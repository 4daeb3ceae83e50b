import type { Config } from '#shared/config/config.ts';
import type { Logger } from '#shared/log/log.ts';
import { OutageLog } from '#shared/log/outage-log.ts';
import { openPostgres, type PoolOptions, type Sql } from '#shared/postgres/kernel/client.ts';
import { primaryReads, Replica, type StaleReads } from '#shared/postgres/kernel/replica.ts';

const name = 'chargeway-api';

/** Requests wait for one of these connections. One whose store gives no byte of an answer within the time is answered 503. */
const ofRequests: PoolOptions = { name, connections: 10, timeoutMs: 15_000, endsSlowStatements: true };

/** Statements of background jobs may take longer. After the primary's machine is lost they fail within a minute, and run again. */
const ofJobs: PoolOptions = {
  name: `${name}-jobs`,
  connections: 4,
  timeoutMs: 60_000,
  endsSlowStatements: true,
};

/** Reads of exports, and the removal of what is past its retention. */
const ofLongJobs: PoolOptions = {
  name: `${name}-long-jobs`,
  connections: 2,
  timeoutMs: 600_000,
  endsSlowStatements: true,
};

/** Pools of background work to the primary and its replica. */
interface JobDatabases {
  sql: Sql;
  staleReads: StaleReads;
}

/** Pools of an API process to PostgreSQL and its replica. */
interface ApiDatabases {
  sql: Sql;
  staleReads: StaleReads;
  jobs: JobDatabases;
  /** For jobs whose statements take minutes. */
  longJobs: JobDatabases;
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
  const replica = databaseReadUrl === null ? null : openReplica(databaseUrl, databaseReadUrl, log);
  const openJobs = (options: PoolOptions): JobDatabases => {
    const jobSql = openPostgres(databaseUrl, options);
    const reads = replica?.reads(jobSql, { ...options, name: `${options.name}-reads` });
    return { sql: jobSql, staleReads: reads ?? primaryReads(jobSql) };
  };
  const jobs = openJobs(ofJobs);
  const longJobs = openJobs(ofLongJobs);
  return {
    sql,
    staleReads: replica?.reads(sql, { ...ofRequests, name: `${name}-reads` }) ?? primaryReads(sql),
    jobs,
    longJobs,
    async close() {
      await replica?.close();
      await Promise.all([sql, jobs.sql, longJobs.sql].map((pool) => pool.end({ timeout: 5 })));
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
