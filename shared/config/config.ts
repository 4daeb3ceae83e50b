import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { ConfigError } from './config-error.ts';
import { readVariables } from './read-variables.ts';
import { clickhouseDatabase, databases } from './stores.ts';
import type { Values } from './variables/variables.ts';

export type { LogLevel } from './variables/shared-variables.ts';

/** Configuration of the processes: the values of the variables, those that belong together as one value. */
export type Config = Readonly<ReturnType<typeof configOf>>;

/** An IPv6 address stands in brackets; what listens on all addresses is reached on the loopback one. */
export function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return isIP(host) === 6 ? `[${host}]` : host;
}

/**
 * Reads and checks the configuration.
 * @throws {ConfigError} naming every variable that is invalid.
 */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  return Object.freeze(configOf(readVariables(environment)));
}

function configOf(values: Values) {
  const {
    databaseUrl,
    databaseDirectUrl,
    databaseReadUrl,
    clickhouseUrl,
    clickhouseCluster,
    logDays,
    readingDays,
    recordDays,
    auditDays,
    personalDays,
    stripeSecretKey,
    stripeWebhookSecret,
    smtpUrl,
    mailFrom,
    mapTilesUrl,
    mapAttribution,
    oidcIssuer,
    oidcAudience,
    oidcRoleClaim,
    oidcNetworksClaim,
    oidcClientId,
    oidcClientSecret,
    oidcScopes,
    oidcDisplayName,
    tracesEndpoint,
    tracesRatio,
    ...single
  } = values;
  const oidc = {
    oidcIssuer,
    oidcAudience,
    oidcRoleClaim,
    oidcNetworksClaim,
    oidcClientId,
    oidcClientSecret,
    oidcScopes,
    oidcDisplayName,
  };
  const { host, port, publicUrl } = values;
  const dataDir = resolve(values.dataDir);
  // The gateway usually is behind the public host of the API.
  const chargerHost = publicUrl === null ? hostInUrl(host) : new URL(publicUrl).hostname;
  return {
    ...single,
    ...databases({ databaseUrl, databaseDirectUrl, databaseReadUrl }),
    clickhouseUrl: clickhouseDatabase(clickhouseUrl, clickhouseCluster),
    dataDir,
    authorityDir: resolve(values.authorityDir ?? join(dataDir, 'ca')),
    firmwareDir: resolve(values.firmwareDir ?? join(dataDir, 'firmware')),
    exportDir: resolve(values.exportDir ?? join(dataDir, 'exports')),
    shards: values.shards ?? Math.min(availableParallelism(), 64),
    publicUrl: publicUrl ?? `http://${hostInUrl(host)}:${port}`,
    ocppUrl: values.ocppUrl ?? `ws://${chargerHost}:${values.ocppPort}/ocpp`,
    // A system on embedded stores is one to try out.
    simulatedChargers: values.simulatedChargers ?? (databaseUrl === null ? 5 : 0),
    networkRequestsPerMinute: values.networkRequestsPerMinute === 0 ? null : values.networkRequestsPerMinute,
    retention: { logDays, readingDays, recordDays, auditDays, personalDays },
    stripe: stripeAccount(stripeSecretKey, stripeWebhookSecret),
    mail: mail(smtpUrl, mailFrom, dataDir),
    mapTiles: mapTilesUrl === null ? null : { url: mapTilesUrl, attribution: mapAttribution },
    externalIssuer: externalIssuer(oidc),
    openIdClient: openIdClient(oidc),
    tracing: tracesEndpoint === null ? null : { sampleRatio: tracesRatio },
  };
}

/** @throws {ConfigError} when e-mails would be sent from a default address. */
function mail(smtpUrl: string | null, from: string | null, dataDir: string) {
  if (smtpUrl !== null && from === null) throw new ConfigError(['MAIL_FROM: must be set where SMTP_URL is']);
  return { smtpUrl, from: from ?? 'chargeway@localhost', outboxDir: join(dataDir, 'outbox') };
}

/** @throws {ConfigError} when one of the two is missing: payments would not be reported, or not be taken. */
function stripeAccount(secretKey: string | null, webhookSecret: string | null) {
  if (secretKey !== null && webhookSecret !== null) return { secretKey, webhookSecret };
  if (secretKey === null && webhookSecret === null) return null;
  const missing = secretKey === null ? 'STRIPE_SECRET_KEY' : 'STRIPE_WEBHOOK_SECRET';
  throw new ConfigError([`${missing}: must be set too where the other of Stripe's two variables is`]);
}

type OpenIdValues = Pick<Values, Extract<keyof Values, `oidc${string}`>>;

/** @throws {ConfigError} when one of issuer and audience is missing: tokens for any audience would be accepted. */
function externalIssuer({ oidcIssuer, oidcAudience, oidcRoleClaim, oidcNetworksClaim }: OpenIdValues) {
  if (oidcIssuer === null && oidcAudience === null) return null;
  if (oidcIssuer !== null && oidcAudience !== null) {
    return {
      issuer: oidcIssuer,
      audience: oidcAudience,
      roleClaim: oidcRoleClaim,
      networksClaim: oidcNetworksClaim,
    };
  }
  const missing = oidcIssuer === null ? 'OIDC_ISSUER' : 'OIDC_AUDIENCE';
  throw new ConfigError([`${missing}: must be set where OIDC_ISSUER or OIDC_AUDIENCE is`]);
}

/** @throws {ConfigError} when there is no issuer to sign in at, or no client for the secret. */
function openIdClient({
  oidcIssuer,
  oidcClientId,
  oidcClientSecret,
  oidcScopes,
  oidcDisplayName,
}: OpenIdValues) {
  if (oidcClientId === null) {
    if (oidcClientSecret === null) return null;
    throw new ConfigError(['OIDC_CLIENT_ID: must be set where OIDC_CLIENT_SECRET is']);
  }
  if (oidcIssuer === null) throw new ConfigError(['OIDC_ISSUER: must be set where OIDC_CLIENT_ID is']);
  return {
    clientId: oidcClientId,
    clientSecret: oidcClientSecret,
    scopes: oidcScopes,
    displayName: oidcDisplayName ?? new URL(oidcIssuer).host,
  };
}
