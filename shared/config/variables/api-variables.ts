import {
  addresses,
  baseUrl,
  chargerUrl,
  days,
  issuerUrl,
  mailAddress,
  mailServer,
  nonEmpty,
  openIdScopes,
  origins,
  replicaUrl,
  secret,
  secrets,
  tilesUrl,
  wholeNumber,
  yesOrNo,
} from '#shared/config/kinds.ts';
import { variable } from './variable.ts';

const century = 36_500;

/** Variables of the API, which `npm start` also reads. */
export const apiVariables = {
  port: variable({
    name: 'PORT',
    kind: wholeNumber(1, 65_535),
    default: 8080,
    meaning: 'Port of the API.',
    isEssential: true,
  }),
  publicUrl: variable({
    name: 'PUBLIC_URL',
    kind: baseUrl,
    default: null,
    shownDefault: '`http://HOST:PORT`',
    meaning:
      'Public URL of the API, for links in e-mails, chargers, roaming partners and the [sessions of browsers](operations/browsers.md#browser-sessions). Set it in production.',
    isEssential: true,
  }),
  ocppUrl: variable({
    name: 'OCPP_URL',
    kind: chargerUrl,
    default: null,
    shownDefault: '`ws://HOST:OCPP_PORT/ocpp`, with the host of `PUBLIC_URL` if it is set',
    meaning:
      'Address of the gateway that operators give to chargers, without the identity at its end. `GET /me` and new chargers return it. Set it in production.',
    isEssential: true,
  }),
  apiMaxConnections: variable({
    name: 'API_MAX_CONNECTIONS',
    kind: wholeNumber(1, 1_000_000),
    default: 10_000,
    meaning:
      'Maximum number of open connections of a process. Further connections are closed at once: see [Slow clients](operations/limits.md#slow-clients).',
  }),
  apiMaxRequests: variable({
    name: 'API_MAX_REQUESTS',
    kind: wholeNumber(1, 100_000),
    default: 100,
    meaning:
      'Requests that a process serves at a time. Further ones wait shortly or get 503: see [Overload](operations/limits.md#overload).',
  }),
  networkRequestsPerMinute: variable({
    name: 'NETWORK_REQUESTS_PER_MINUTE',
    kind: wholeNumber(0, 100_000_000),
    default: 0,
    shownDefault: '`0`: no limit',
    meaning:
      'Requests within a minute of all callers of a network together, if the network has no limit of its own: see [Limits of networks](operations/keys.md#limits-of-networks).',
  }),
  databaseReadUrl: variable({
    name: 'DATABASE_READ_URL',
    kind: replicaUrl,
    default: null,
    meaning: '[Read replica](operations/postgresql.md#read-replica) for reports, analytics and exports.',
    isSecret: true,
  }),
  readingDays: variable({
    name: 'READING_DAYS',
    kind: days(365, century),
    default: 3650,
    meaning:
      'Retention of meter readings, and of the quarter-hour readings of charts: see [Retention](operations/retention.md).',
  }),
  auditDays: variable({
    name: 'AUDIT_DAYS',
    kind: days(365, century),
    default: 3650,
    meaning: 'Retention of the audit log.',
  }),
  personalDays: variable({
    name: 'PERSONAL_DAYS',
    kind: days(365, century),
    default: null,
    shownDefault: '`0`: never',
    meaning:
      'Days without any use after which a driver is [deleted](operations/personal-data.md#deleted-drivers). A network can shorten it (`personalDataDays`): see [Inactive drivers](operations/personal-data.md#inactive-drivers).',
  }),
  sealingKey: variable({
    name: 'SEALING_KEY',
    kind: secret,
    default: null,
    shownDefault: 'the file `DATA_DIR/sealing.key`, made at the first start',
    meaning:
      'Encrypts the [secrets in PostgreSQL](operations/sealing-key.md). Set the same value for all API processes that do not share `DATA_DIR`: sign-ins at a process with another key are not valid at the others, and it calls no partner and no webhook.',
    isSecret: true,
    isEssential: true,
  }),
  formerSealingKeys: variable({
    name: 'SEALING_KEY_FORMER',
    kind: secrets,
    default: [],
    meaning:
      'Former sealing keys, until everything that they encrypted is encrypted with `SEALING_KEY`: see [Change of the sealing key](operations/sealing-key.md).',
    isSecret: true,
  }),
  smtpUrl: variable({
    name: 'SMTP_URL',
    kind: mailServer,
    default: null,
    shownDefault: 'files in `DATA_DIR/outbox`',
    meaning:
      'Mail server: `smtp://user:password@host:587` or `smtps://…`. See [Drivers and e-mail](operations/drivers.md#drivers-and-e-mail).',
    isSecret: true,
    isEssential: true,
  }),
  mailFrom: variable({
    name: 'MAIL_FROM',
    kind: mailAddress,
    default: null,
    shownDefault: 'required with `SMTP_URL`',
    meaning: "Sender address of e-mails. The displayed name is the network's.",
    isEssential: true,
  }),
  stripeSecretKey: variable({
    name: 'STRIPE_SECRET_KEY',
    kind: secret,
    default: null,
    shownDefault: 'payments are off',
    meaning:
      'Secret key of a Stripe account for top-ups of wallets: see [Wallets and payments](operations/wallets.md).',
    isSecret: true,
  }),
  stripeWebhookSecret: variable({
    name: 'STRIPE_WEBHOOK_SECRET',
    kind: secret,
    default: null,
    shownDefault: 'payments are off',
    meaning: "Signing secret of that account's webhook. Set both or neither.",
    isSecret: true,
  }),
  defaultNetwork: variable({
    name: 'DEFAULT_NETWORK',
    kind: nonEmpty,
    default: null,
    shownDefault: 'the oldest network',
    meaning:
      'Slug or uuid of the network for driver requests without `networkId` ([rules](operations/drivers.md#networks-of-drivers)).',
  }),
  offlineAlertMinutes: variable({
    name: 'OFFLINE_ALERT_MINUTES',
    kind: wholeNumber(1, 10_080),
    default: 15,
    meaning: 'Minutes until an offline charger opens an alert. A rule of the network overrides it.',
  }),
  firmwareDir: variable({
    name: 'FIRMWARE_DIR',
    kind: nonEmpty,
    default: null,
    shownDefault: '`DATA_DIR/firmware`',
    meaning:
      'Directory of firmware images, one for all API processes: see [Several processes](operations/scaling.md).',
  }),
  firmwareMaxBytes: variable({
    name: 'FIRMWARE_MAX_BYTES',
    kind: wholeNumber(1, 2 ** 40),
    default: 256 * 1024 * 1024,
    meaning: 'Maximum size of a firmware image.',
  }),
  exportDir: variable({
    name: 'EXPORT_DIR',
    kind: nonEmpty,
    default: null,
    shownDefault: '`DATA_DIR/exports`',
    meaning:
      'Directory of the files of [exports](exports.md), one for all API processes: see [Several processes](operations/scaling.md).',
  }),
  exportMaxBytes: variable({
    name: 'EXPORT_MAX_BYTES',
    kind: wholeNumber(1, 2 ** 50),
    default: 20 * 1024 ** 3,
    meaning:
      'Maximum size of the files of all exports together. An export that begins a part beyond it fails.',
  }),
  ocpiStrict: variable({
    name: 'OCPI_STRICT',
    kind: yesOrNo,
    default: true,
    meaning: "Serves the standard's paths of OCPI 2.1.1, 2.2.1 and 2.3.0 in addition to the documented ones.",
  }),
  outboundAllow: variable({
    name: 'OUTBOUND_ALLOW',
    kind: addresses,
    default: [],
    meaning:
      'Targets of requests that are allowed although they are not public, such as roaming partners in your own network. Webhooks to them may use http.',
  }),
  corsOrigins: variable({
    name: 'CORS_ORIGINS',
    kind: origins,
    default: [],
    meaning:
      'Web apps that may use `/cpms/v1` and `/emsp/v1` from a browser: see [Browser apps](operations/browsers.md#browser-apps).',
  }),
  mapTilesUrl: variable({
    name: 'MAP_TILES_URL',
    kind: tilesUrl,
    default: null,
    shownDefault: 'a map of countries',
    meaning: "Raster tiles of the console's map, which browsers load from there.",
  }),
  mapAttribution: variable({
    name: 'MAP_ATTRIBUTION',
    kind: nonEmpty,
    default: null,
    meaning: 'Attribution that the tiles require.',
  }),
  oidcIssuer: variable({
    name: 'OIDC_ISSUER',
    kind: issuerUrl,
    default: null,
    meaning:
      'OpenID Connect issuer whose tokens are also accepted: see [OpenID Connect](operations/operators.md#openid-connect).',
  }),
  oidcAudience: variable({
    name: 'OIDC_AUDIENCE',
    kind: nonEmpty,
    default: null,
    meaning: 'Required value in `aud` of those tokens. Set both or neither.',
  }),
  oidcRoleClaim: variable({
    name: 'OIDC_ROLE_CLAIM',
    kind: nonEmpty,
    default: 'chargeway_role',
    meaning: 'Claim with the role: a name, or a path with dots such as `realm_access.roles`.',
  }),
  oidcNetworksClaim: variable({
    name: 'OIDC_NETWORKS_CLAIM',
    kind: nonEmpty,
    default: 'chargeway_networks',
    meaning: 'Claim with the networks, in the same form: slugs or uuids, `*` for all.',
  }),
  oidcClientId: variable({
    name: 'OIDC_CLIENT_ID',
    kind: nonEmpty,
    default: null,
    meaning:
      'Client id of this installation at the issuer, for [sign-ins from a browser](operations/browsers.md#browser-sessions). Requires `OIDC_ISSUER`.',
  }),
  oidcClientSecret: variable({
    name: 'OIDC_CLIENT_SECRET',
    kind: nonEmpty,
    default: null,
    meaning: 'Secret of that client. Without it, the client is public and uses PKCE only.',
    isSecret: true,
  }),
  oidcScopes: variable({
    name: 'OIDC_SCOPES',
    kind: openIdScopes,
    default: 'openid email profile',
    meaning: 'Scopes that a sign-in requests.',
  }),
  oidcDisplayName: variable({
    name: 'OIDC_DISPLAY_NAME',
    kind: nonEmpty,
    default: null,
    shownDefault: 'host of `OIDC_ISSUER`',
    meaning: 'Name of the issuer on the sign-in page.',
  }),
};
