import {
  addresses,
  baseUrl,
  clickhouseUrl,
  clusterName,
  databaseUrl,
  days,
  fraction,
  nonEmpty,
  oneOf,
  redisUrl,
  wholeNumber,
} from '#shared/config/kinds.ts';
import { variable } from './variable.ts';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Variables that API and gateway read. */
export const sharedVariables = {
  databaseUrl: variable({
    name: 'DATABASE_URL',
    kind: databaseUrl,
    default: null,
    shownDefault: 'embedded; required by API and gateway',
    meaning:
      'PostgreSQL: `postgres://user:password@host:5432/database`, or several hosts with commas in between. See [PostgreSQL](operations/postgresql.md).',
    isSecret: true,
    isEssential: true,
  }),
  databaseDirectUrl: variable({
    name: 'DATABASE_DIRECT_URL',
    kind: databaseUrl,
    default: null,
    shownDefault: '`DATABASE_URL`',
    meaning:
      'PostgreSQL itself, if `DATABASE_URL` points to a [pooler in transaction mode](operations/postgresql.md#pgbouncer). Only requests to the API use the pooler.',
    isSecret: true,
  }),
  clickhouseUrl: variable({
    name: 'CLICKHOUSE_URL',
    kind: clickhouseUrl,
    default: null,
    shownDefault: 'embedded; required by API and gateway',
    meaning:
      'ClickHouse over HTTP: `http://user:password@host:8123/database`. Several servers of a cluster have commas in between and need `CLICKHOUSE_CLUSTER`: `http://user:password@one:8123,two:8123/database`.',
    isSecret: true,
    isEssential: true,
  }),
  clickhouseCluster: variable({
    name: 'CLICKHOUSE_CLUSTER',
    kind: clusterName,
    default: null,
    shownDefault: 'one server',
    meaning:
      'Name of a cluster in the configuration of the ClickHouse servers: see [ClickHouse cluster](operations/clickhouse-cluster.md). It cannot be changed later, since existing tables are not moved.',
  }),
  redisUrl: variable({
    name: 'REDIS_URL',
    kind: redisUrl,
    default: null,
    shownDefault: 'threads of one process; required by API and gateway',
    meaning:
      'Redis 7: one server, a Cluster or Sentinel: see [Redis](operations/redis.md). Installations that share a Redis need a prefix each, `?prefix=name` at the end.',
    isSecret: true,
    isEssential: true,
  }),
  host: variable({
    name: 'HOST',
    kind: nonEmpty,
    default: '127.0.0.1',
    shownDefault: '`127.0.0.1`; `0.0.0.0` in the image',
    meaning: 'Address to listen on, for all ports.',
    isEssential: true,
  }),
  dataDir: variable({
    name: 'DATA_DIR',
    kind: nonEmpty,
    default: './data',
    shownDefault: '`./data`; `/data` in the image',
    meaning:
      'Directory of the write-ahead log of readings, the certificate authority, the embedded stores, and the first keys in `credentials.json`.',
    isEssential: true,
  }),
  logLevel: variable({
    name: 'LOG_LEVEL',
    kind: oneOf(logLevels),
    default: 'info',
    meaning: 'Least severe level that is logged.',
  }),
  logDays: variable({
    name: 'LOG_DAYS',
    kind: wholeNumber(1, 3650),
    default: 90,
    meaning:
      'Retention of logs: OCPP messages, device events and notifications, requests from and to roaming partners, deliveries to webhooks. See [Retention](operations/retention.md). Use the same value for all processes.',
  }),
  recordDays: variable({
    name: 'RECORD_DAYS',
    kind: days(180, 3650),
    default: 1095,
    meaning:
      'Retention of records that no bill rests upon: the status history, security events, and closed records such as resolved alerts, firmware updates, past reservations, bulk jobs and exports. Use the same value for all processes.',
  }),
  trustedProxies: variable({
    name: 'TRUSTED_PROXIES',
    kind: addresses,
    default: [],
    meaning: 'Trusted proxies, whose headers are evaluated: see [TLS](operations/tls.md).',
  }),
  tracesEndpoint: variable({
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    kind: baseUrl,
    default: null,
    shownDefault: 'no traces',
    meaning: 'Collector of traces over OTLP and HTTP: see [Traces](operations/logs.md#traces).',
  }),
  tracesRatio: variable({
    name: 'OTEL_TRACES_SAMPLER_ARG',
    kind: fraction,
    default: 1,
    meaning: 'Share of new traces that is exported.',
  }),
};
