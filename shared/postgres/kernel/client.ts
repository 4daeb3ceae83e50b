import postgres from 'postgres';
import { trustedRoots } from './tls.ts';
import { DeadlinePassed } from '#shared/domain/kernel/deadline.ts';

if (postgres.chargewayFixes !== 6) {
  throw new Error(
    'The package `postgres` is not the driver in shared/postgres/driver. Run `npm ci` with the package.json of ' +
      'this version (docs/adr/0013).',
  );
}

/** A pool of connections to PostgreSQL; `bigint` columns are bigint in TypeScript. */
export type Sql = postgres.Sql<{ bigint: bigint }>;

/** A transaction on one connection of the pool. */
export type Transaction = postgres.TransactionSql<{ bigint: bigint }>;

/** Either: what a query needs to run. */
export type Queryable = Sql | Transaction;

/** A part of a statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>;

/** Options of a pool, as `openPostgres` describes them. */
export interface PoolOptions {
  name: string;
  connections: number;
  timeoutMs?: number;
  endsSlowStatements?: boolean;
  /** True for a URL of a pooler in transaction mode. */
  isPooler?: boolean;
}

/**
 * Opens a pool. Connections are made on first use, so this neither waits nor fails; `name` is what the
 * server shows in pg_stat_activity. A query that gets no byte of an answer within `timeoutMs` fails, and so do queries that
 * wait for a connection meanwhile; the connection is closed. Without it a query may run for any time.
 * With `endsSlowStatements` the server ends a statement before that time has passed, and what is sent after it on the same
 * connection is answered. It ends a connection whose transaction is idle for twice that time. Of several hosts in the URL, a
 * connection takes the first one that accepts writes, unless the URL has `target_session_attrs`. A pooler in transaction mode gets
 * neither prepared statements nor settings of the server.
 */
export function openPostgres(url: string, options: PoolOptions): Sql {
  const { timeoutMs, isPooler = false } = options;
  const hosts = hostsOf(url).length;
  const { url: address, ssl } = trustedRoots(url);
  return postgres(address, {
    ...(ssl !== null && { ssl }),
    max: options.connections,
    types: { bigint: postgres.BigInt },
    connection: {
      application_name: options.name,
      TimeZone: 'UTC',
      ...(!isPooler && ofServer(options)),
    },
    // A dead server fails a query within seconds, so that a charger gets an error and repeats (field note 7).
    connect_timeout: Math.min(10, (timeoutMs ?? Infinity) / 1000) / hosts,
    ...(hosts > 1 && !url.includes('target_session_attrs=') && { target_session_attrs: 'read-write' }),
    ...(timeoutMs !== undefined && { answer_timeout: timeoutMs / 1000 }),
    prepare: !isPooler,
    idle_timeout: 60,
    // Seconds between attempts to reconnect; by itself the driver waits up to twenty, with the server long back.
    backoff: (attempt: number) => Math.min(2, 0.1 * 2 ** attempt),
    onnotice: () => undefined,
  });
}

/**
 * Settings of the server for a connection. It notices within 45 s that the client's machine is gone, and with `endsSlowStatements` it
 * ends a transaction that is idle: both would keep their locks.
 */
function ofServer({ timeoutMs, endsSlowStatements = false }: PoolOptions): Record<string, number> {
  return {
    tcp_keepalives_idle: 30,
    tcp_keepalives_interval: 5,
    tcp_keepalives_count: 3,
    // Bytes that are not confirmed hold back those probes.
    tcp_user_timeout: 45_000,
    ...(endsSlowStatements &&
      timeoutMs !== undefined && {
        statement_timeout: Math.round(timeoutMs * statementShare),
        idle_in_transaction_session_timeout: 2 * timeoutMs,
      }),
  };
}

/** Returns the hosts of a PostgreSQL URL, which may name several with commas in between. */
function hostsOf(url: string): string[] {
  const [authority = ''] = url.replace(/^[^:]+:\/\//, '').split(/[/?]/);
  return authority.slice(authority.lastIndexOf('@') + 1).split(',');
}

/** The part of the answer timeout after which a server ends a statement: the rest is for its answer to arrive. */
const statementShare = 0.9;

/** Returns true when the server ended a statement that took too long. The server is up: the statement was too slow. */
export function isTooSlow(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === '57014';
}

/** Returns true when a standby cancelled a query, because the replication had to remove rows that it read. */
export function isReplicationConflict(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === '40001';
}

/** Returns true when a statement waited for a lock longer than its `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === '55P03';
}

/** Returns true when a transaction ended for the locks of others, so that a repeat can succeed. */
export function isLockConflict(error: unknown): boolean {
  const isDeadlock = error instanceof postgres.PostgresError && error.code === '40P01';
  return isDeadlock || isLockTimeout(error);
}

/**
 * Returns whether an error means that the store was unreachable or too slow, rather than that the query was
 * wrong.
 */
export function isPostgresDown(error: unknown): boolean {
  if (error instanceof DeadlinePassed) return true;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return unreachable.has(code) || downClasses.some((start) => code.startsWith(start));
}

/**
 * Connection exceptions, insufficient resources, operator intervention, a database that takes no connections now, and a
 * standby or demoted server, which accepts no writes.
 */
const downClasses = ['08', '53', '57P', '55000', '25006'];

const unreachable = new Set([
  'ECONNREFUSED',
  // The Unix socket of a stopped server.
  'ENOENT',
  'ECONNRESET',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'CONNECT_TIMEOUT',
  'ANSWER_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'UNSUITABLE_SERVER',
]);

/** Resolves when the server answers a query; rejects otherwise: for readiness checks. */
export async function pingPostgres(sql: Sql): Promise<void> {
  await sql`select 1`;
}

/** Returns the version of PostgreSQL. */
export async function readPostgresVersion(sql: Sql): Promise<string> {
  const [row] = await sql<[{ version: string }]>`select current_setting('server_version') as version`;
  return row.version;
}

/** Returns whether an error is the violation of the unique index or constraint with this name. */
export function violates(error: unknown, constraint: string): boolean {
  return (
    error instanceof postgres.PostgresError && error.code === '23505' && error.constraint_name === constraint
  );
}
