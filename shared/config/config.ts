import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { bool, cleanEnv, str } from 'envalid';
import type { Retention } from '#shared/domain/kernel/retention.ts';
import { ConfigError } from './config-error.ts';
import { readSecretFiles } from './secret-files.ts';
import { retentionOf, retentionVariables } from './retention.ts';
import { clickhouseDatabase, databases } from './stores.ts';
import {
  addresses,
  baseUrl,
  chargerUrl,
  clickhouseUrl,
  clusterName,
  databaseUrl,
  fraction,
  issuerUrl,
  mailAddress,
  nonEmpty,
  openIdScopes,
  origins,
  redisUrl,
  replicaUrl,
  secret,
  secrets,
  storeUrl,
  tilesUrl,
  wholeNumber,
} from './validators.ts';

/** Configuration of the processes, read once from the environment, validated, frozen. */
export interface Config {
  readonly host: string;
  /** TCP port of the API. */
  readonly port: number;
  /** Connections that an API process keeps open at a time. */
  readonly apiMaxConnections: number;
  /** Requests that an API process serves at a time. */
  readonly apiMaxRequests: number;
  /** TCP port of the OCPP gateway. */
  readonly ocppPort: number;
  /** TCP port of the gateway's own /metrics and /health; null: not served. */
  readonly gatewayMetricsPort: number | null;
  /** Absolute path: embedded stores, the write-ahead log, the first key. */
  readonly dataDir: string;
  /** Absolute path: key and root of the authority that signs chargers' certificates, the same for all gateways. */
  readonly authorityDir: string;
  /** Free bytes on the disk of `dataDir` below which the gateway refuses readings. */
  readonly walFloorBytes: number;
  /** Calls of a charger that are served in a second; faster ones wait. */
  readonly chargerCallsPerSecond: number;
  /** Shard threads of the gateway. */
  readonly shards: number;
  /** PostgreSQL itself, without a pooler in between. */
  readonly databaseUrl: string | null;
  /** Pooler in transaction mode, for requests to the API; null: none. */
  readonly databasePoolerUrl: string | null;
  /** Read replica; null: none. */
  readonly databaseReadUrl: string | null;
  /** With the name of the cluster, if its tables are on one. */
  readonly clickhouseUrl: string | null;
  readonly redisUrl: string | null;
  readonly logLevel: LogLevel;
  /** Days that the log of OCPP messages is kept. */
  readonly messageLogDays: number;
  /** Days that the status history of chargers is kept. */
  readonly statusEventDays: number;
  /** Days that events of device models, and notifications without a table of their own, are kept. */
  readonly deviceEventDays: number;
  readonly securityEventDays: number;
  /** Retention of events in the outbox that every reader has passed, in days. */
  readonly outboxEventDays: number;
  /** Retention of the other records that grow without end. */
  readonly retention: Retention;
  /** The OpenID Connect issuer whose tokens operators may bring; null: none but ours. */
  readonly externalIssuer: {
    readonly issuer: string;
    readonly audience: string;
    readonly roleClaim: string;
    readonly networksClaim: string;
  } | null;
  /** Registration at that issuer, for sign-ins of operators from a browser; null: none. */
  readonly openIdClient: {
    readonly clientId: string;
    /** Null: a public client. */
    readonly clientSecret: string | null;
    readonly scopes: string;
    /** Name of the issuer on the sign-in page. */
    readonly displayName: string;
  } | null;
  /** Slug or uuid of the network of drivers who name none; null: the oldest network. */
  readonly defaultNetwork: string | null;
  /** After how many minutes offline a charger is an alert. */
  readonly offlineAlertMinutes: number;
  /** Addresses and CIDR ranges of trusted proxies, whose headers are evaluated. */
  readonly trustedProxies: readonly string[];
  /** Origins of pages that may call the API from a browser. */
  readonly corsOrigins: readonly string[];
  /** Tiles of the console's map. Null: the built-in map without streets. */
  readonly mapTiles: { url: string; attribution: string | null } | null;
  /** The base address of the API as others reach it: in links, for chargers and for roaming partners. */
  readonly publicUrl: string;
  /** Address of the gateway as chargers reach it, without the identity at its end. */
  readonly ocppUrl: string;
  /** Simulated chargers that `npm start` runs at a time; 0: none. */
  readonly simulatedChargers: number;
  /** Absolute path: the bytes of firmware images, the same for all API processes. */
  readonly firmwareDir: string;
  readonly firmwareMaxBytes: number;
  /** Absolute path: the files of exports, the same for all API processes. */
  readonly exportDir: string;
  /** Size in bytes that the files of all exports may have together. */
  readonly exportMaxBytes: number;
  /** Retention of exported files in days. */
  readonly exportDays: number;
  /** True to serve the standard's OCPI 2.2.1 paths alongside the documented ones. */
  readonly ocpiStrict: boolean;
  /** Addresses and CIDR ranges that are called although they are not public, for partners on a network of one's own. */
  readonly outboundAllow: readonly string[];
  /** Requests within a minute for a network without a limit of its own; null: no limit. */
  readonly networkRequestsPerMinute: number | null;
  /** Encrypts secrets in the database that the product must read again; null: a key in a file of `dataDir`. */
  readonly sealingKey: string | null;
  /** Keys that were used before `sealingKey`: what they sealed is opened, and sealed again. */
  readonly formerSealingKeys: readonly string[];
  /** The account at Stripe that takes drivers' payments; null: payments are off. */
  readonly stripe: { readonly secretKey: string; readonly webhookSecret: string } | null;
  /** Delivery of e-mails: over SMTP, or without a URL as files in `outboxDir`; and their sender address. */
  readonly mail: { readonly smtpUrl: string | null; readonly from: string; readonly outboxDir: string };
  /** Share of new traces that is exported; null: tracing is off. */
  readonly tracing: { readonly sampleRatio: number } | null;
  /** Secret that a proxy must send in addition to its address; null when the address suffices. */
  readonly proxySecret: string | null;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** An IPv6 address stands in brackets; what listens on all addresses is reached on the loopback one. */
export function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** Returns the host of the API's public address, behind which the gateway usually is too. */
function chargerHost({ HOST, PUBLIC_URL }: { HOST: string; PUBLIC_URL?: string | undefined }): string {
  return PUBLIC_URL === undefined ? hostInUrl(HOST) : new URL(PUBLIC_URL).hostname;
}

/**
 * Reads and checks the configuration.
 * @throws {ConfigError} naming every variable that is wrong.
 */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const tcpPort = wholeNumber(1, 65_535);
  const { secrets: fromFiles, problems } = readSecretFiles(environment);
  if (problems.length > 0) throw new ConfigError(problems);
  const env = cleanEnv(
    Object.keys(fromFiles).length === 0 ? environment : { ...environment, ...fromFiles },
    {
      HOST: nonEmpty({ default: '127.0.0.1' }),
      PORT: tcpPort({ default: 8080 }),
      API_MAX_CONNECTIONS: wholeNumber(1, 1_000_000)({ default: 10_000 }),
      API_MAX_REQUESTS: wholeNumber(1, 100_000)({ default: 100 }),
      OCPP_PORT: tcpPort({ default: 9000 }),
      GATEWAY_METRICS_PORT: tcpPort({ default: undefined }),
      DATA_DIR: nonEmpty({ default: './data' }),
      CERTIFICATE_AUTHORITY_DIR: nonEmpty({ default: undefined }),
      WAL_FLOOR_BYTES: wholeNumber(2 ** 20, 2 ** 40)({ default: 256 * 1024 * 1024 }),
      CHARGER_CALLS_PER_SECOND: wholeNumber(1, 1_000_000)({ default: 100 }),
      SHARDS: wholeNumber(1, 64)({ default: undefined }),
      DATABASE_URL: databaseUrl({ default: undefined }),
      DATABASE_DIRECT_URL: databaseUrl({ default: undefined }),
      DATABASE_READ_URL: replicaUrl({ default: undefined }),
      CLICKHOUSE_URL: clickhouseUrl({ default: undefined }),
      CLICKHOUSE_CLUSTER: clusterName({ default: undefined }),
      REDIS_URL: redisUrl({ default: undefined }),
      LOG_LEVEL: str({ choices: logLevels, default: 'info' }),
      MESSAGE_LOG_DAYS: wholeNumber(1, 3650)({ default: 90 }),
      STATUS_EVENT_DAYS: wholeNumber(1, 3650)({ default: 730 }),
      DEVICE_EVENT_DAYS: wholeNumber(1, 3650)({ default: 90 }),
      SECURITY_EVENT_DAYS: wholeNumber(1, 3650)({ default: 730 }),
      OUTBOX_EVENT_DAYS: wholeNumber(1, 3650)({ default: 7 }),
      ...retentionVariables,
      OFFLINE_ALERT_MINUTES: wholeNumber(1, 10_080)({ default: 15 }),
      DEFAULT_NETWORK: nonEmpty({ default: undefined }),
      PUBLIC_URL: baseUrl({ default: undefined }),
      OCPP_URL: chargerUrl({ default: undefined }),
      SIMULATED_CHARGERS: wholeNumber(0, 20)({ default: undefined }),
      FIRMWARE_DIR: nonEmpty({ default: undefined }),
      FIRMWARE_MAX_BYTES: wholeNumber(1, 2 ** 40)({ default: 256 * 1024 * 1024 }),
      EXPORT_DIR: nonEmpty({ default: undefined }),
      EXPORT_MAX_BYTES: wholeNumber(1, 2 ** 50)({ default: 20 * 1024 ** 3 }),
      EXPORT_DAYS: wholeNumber(1, 365)({ default: 7 }),
      OCPI_STRICT: bool({ default: true }),
      OUTBOUND_ALLOW: addresses({ default: [] }),
      NETWORK_REQUESTS_PER_MINUTE: wholeNumber(0, 100_000_000)({ default: 0 }),
      SEALING_KEY: secret({ default: undefined }),
      SEALING_KEY_FORMER: secrets({ default: [] }),
      STRIPE_SECRET_KEY: secret({ default: undefined }),
      STRIPE_WEBHOOK_SECRET: secret({ default: undefined }),
      TRUSTED_PROXIES: addresses({ default: [] }),
      CORS_ORIGINS: origins({ default: [] }),
      MAP_TILES_URL: tilesUrl({ default: undefined }),
      MAP_ATTRIBUTION: nonEmpty({ default: undefined }),
      SMTP_URL: storeUrl('smtp', 'smtps')({ default: undefined }),
      MAIL_FROM: mailAddress({ default: undefined }),
      OIDC_ISSUER: issuerUrl({ default: undefined }),
      OIDC_AUDIENCE: nonEmpty({ default: undefined }),
      OIDC_ROLE_CLAIM: nonEmpty({ default: 'chargeway_role' }),
      OIDC_NETWORKS_CLAIM: nonEmpty({ default: 'chargeway_networks' }),
      OIDC_CLIENT_ID: nonEmpty({ default: undefined }),
      OIDC_CLIENT_SECRET: nonEmpty({ default: undefined }),
      OIDC_SCOPES: openIdScopes({ default: 'openid email profile' }),
      OIDC_DISPLAY_NAME: nonEmpty({ default: undefined }),
      PROXY_SECRET: secret({ default: undefined }),
      OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl({ default: undefined }),
      OTEL_TRACES_SAMPLER_ARG: fraction({ default: 1 }),
    },
    { reporter: refuse },
  );
  return Object.freeze({
    host: env.HOST,
    port: env.PORT,
    apiMaxConnections: env.API_MAX_CONNECTIONS,
    apiMaxRequests: env.API_MAX_REQUESTS,
    ocppPort: env.OCPP_PORT,
    gatewayMetricsPort: env.GATEWAY_METRICS_PORT ?? null,
    dataDir: resolve(env.DATA_DIR),
    authorityDir: resolve(env.CERTIFICATE_AUTHORITY_DIR ?? join(env.DATA_DIR, 'ca')),
    walFloorBytes: env.WAL_FLOOR_BYTES,
    chargerCallsPerSecond: env.CHARGER_CALLS_PER_SECOND,
    shards: env.SHARDS ?? Math.min(availableParallelism(), 64),
    ...databases(env),
    clickhouseUrl: clickhouseDatabase(env.CLICKHOUSE_URL, env.CLICKHOUSE_CLUSTER),
    redisUrl: env.REDIS_URL ?? null,
    logLevel: env.LOG_LEVEL,
    messageLogDays: env.MESSAGE_LOG_DAYS,
    offlineAlertMinutes: env.OFFLINE_ALERT_MINUTES,
    defaultNetwork: env.DEFAULT_NETWORK ?? null,
    statusEventDays: env.STATUS_EVENT_DAYS,
    deviceEventDays: env.DEVICE_EVENT_DAYS,
    securityEventDays: env.SECURITY_EVENT_DAYS,
    outboxEventDays: env.OUTBOX_EVENT_DAYS,
    retention: retentionOf(env),
    publicUrl: env.PUBLIC_URL ?? `http://${hostInUrl(env.HOST)}:${env.PORT}`,
    ocppUrl: env.OCPP_URL ?? `ws://${chargerHost(env)}:${env.OCPP_PORT}/ocpp`,
    // A system on embedded stores is one to try out.
    simulatedChargers: env.SIMULATED_CHARGERS ?? (env.DATABASE_URL === undefined ? 5 : 0),
    firmwareDir: resolve(env.FIRMWARE_DIR ?? join(env.DATA_DIR, 'firmware')),
    firmwareMaxBytes: env.FIRMWARE_MAX_BYTES,
    exportDir: resolve(env.EXPORT_DIR ?? join(env.DATA_DIR, 'exports')),
    exportMaxBytes: env.EXPORT_MAX_BYTES,
    exportDays: env.EXPORT_DAYS,
    ocpiStrict: env.OCPI_STRICT,
    outboundAllow: env.OUTBOUND_ALLOW,
    networkRequestsPerMinute: env.NETWORK_REQUESTS_PER_MINUTE === 0 ? null : env.NETWORK_REQUESTS_PER_MINUTE,
    sealingKey: env.SEALING_KEY ?? null,
    formerSealingKeys: env.SEALING_KEY_FORMER,
    stripe: stripeAccount(env.STRIPE_SECRET_KEY, env.STRIPE_WEBHOOK_SECRET),
    trustedProxies: env.TRUSTED_PROXIES,
    corsOrigins: env.CORS_ORIGINS,
    mapTiles:
      env.MAP_TILES_URL === undefined
        ? null
        : { url: env.MAP_TILES_URL, attribution: env.MAP_ATTRIBUTION ?? null },
    mail: mail(env.SMTP_URL, env.MAIL_FROM, env.DATA_DIR),
    externalIssuer: externalIssuer(env),
    openIdClient: openIdClient(env),
    proxySecret: env.PROXY_SECRET ?? null,
    tracing:
      env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined ? null : { sampleRatio: env.OTEL_TRACES_SAMPLER_ARG },
  });
}

/** @throws {ConfigError} when e-mails would be sent from a default address. */
function mail(smtpUrl: string | undefined, from: string | undefined, dataDir: string): Config['mail'] {
  if (smtpUrl !== undefined && from === undefined) {
    throw new ConfigError(['MAIL_FROM: must be set where SMTP_URL is']);
  }
  return {
    smtpUrl: smtpUrl ?? null,
    from: from ?? 'chargeway@localhost',
    outboxDir: resolve(join(dataDir, 'outbox')),
  };
}

/** @throws {ConfigError} when one of the two is missing: payments would not be reported, or not be taken. */
function stripeAccount(secretKey: string | undefined, webhookSecret: string | undefined): Config['stripe'] {
  if (secretKey !== undefined && webhookSecret !== undefined) return { secretKey, webhookSecret };
  if (secretKey === undefined && webhookSecret === undefined) return null;
  const missing = secretKey === undefined ? 'STRIPE_SECRET_KEY' : 'STRIPE_WEBHOOK_SECRET';
  throw new ConfigError([`${missing}: must be set too where the other of Stripe's two variables is`]);
}

/** @throws {ConfigError} when one of issuer and audience is missing: tokens for other audiences would be accepted here. */
function externalIssuer(env: {
  OIDC_ISSUER?: string | undefined;
  OIDC_AUDIENCE?: string | undefined;
  OIDC_ROLE_CLAIM: string;
  OIDC_NETWORKS_CLAIM: string;
}): Config['externalIssuer'] {
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience } = env;
  if (issuer === undefined && audience === undefined) return null;
  if (issuer !== undefined && audience !== undefined) {
    return { issuer, audience, roleClaim: env.OIDC_ROLE_CLAIM, networksClaim: env.OIDC_NETWORKS_CLAIM };
  }
  const missing = issuer === undefined ? 'OIDC_ISSUER' : 'OIDC_AUDIENCE';
  throw new ConfigError([`${missing}: must be set where OIDC_ISSUER or OIDC_AUDIENCE is`]);
}

/** @throws {ConfigError} when there is no issuer to sign in at, or no client for the secret. */
function openIdClient(env: {
  OIDC_ISSUER?: string | undefined;
  OIDC_CLIENT_ID?: string | undefined;
  OIDC_CLIENT_SECRET?: string | undefined;
  OIDC_SCOPES: string;
  OIDC_DISPLAY_NAME?: string | undefined;
}): Config['openIdClient'] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env;
  if (clientId === undefined) {
    if (clientSecret === undefined) return null;
    throw new ConfigError(['OIDC_CLIENT_ID: must be set where OIDC_CLIENT_SECRET is']);
  }
  if (issuer === undefined) throw new ConfigError(['OIDC_ISSUER: must be set where OIDC_CLIENT_ID is']);
  return {
    clientId,
    clientSecret: clientSecret ?? null,
    scopes: env.OIDC_SCOPES,
    displayName: env.OIDC_DISPLAY_NAME ?? new URL(issuer).host,
  };
}

/** The cores, shared out among the processes. */
function refuse({ errors }: { errors: Partial<Record<string, Error>> }): void {
  const problems = Object.entries(errors).map(([name, error]) => `${name}: ${error?.message ?? 'is wrong'}`);
  if (problems.length > 0) throw new ConfigError(problems);
}
