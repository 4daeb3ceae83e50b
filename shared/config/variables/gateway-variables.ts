import { nonEmpty, secret, wholeNumber } from '#shared/config/kinds.ts';
import { variable } from './variable.ts';

/** Variables of the gateway, which `npm start` also reads. */
export const gatewayVariables = {
  ocppPort: variable({
    name: 'OCPP_PORT',
    kind: wholeNumber(1, 65_535),
    default: 9000,
    meaning: 'Port for chargers, which connect to `ws://host:9000/ocpp/{uid}`.',
    isEssential: true,
  }),
  gatewayMetricsPort: variable({
    name: 'GATEWAY_METRICS_PORT',
    kind: wholeNumber(1, 65_535),
    default: null,
    shownDefault: 'not served',
    meaning: 'Port of `/metrics` and `/health/…`.',
  }),
  authorityDir: variable({
    name: 'CERTIFICATE_AUTHORITY_DIR',
    kind: nonEmpty,
    default: null,
    shownDefault: '`DATA_DIR/ca`',
    meaning:
      'Directory of the authority that signs certificates of chargers, with `root.pem` and `key.pem`. Gateways with a `DATA_DIR` each need the same two files: see [The certificate authority](operations/certificate-authority.md).',
  }),
  walFloorBytes: variable({
    name: 'WAL_FLOOR_BYTES',
    kind: wholeNumber(2 ** 20, 2 ** 40),
    default: 256 * 1024 * 1024,
    meaning:
      'Free bytes on the disk of `DATA_DIR` below which the gateway refuses readings: see [The write-ahead log](operations/write-ahead-log.md).',
  }),
  chargerCallsPerSecond: variable({
    name: 'CHARGER_CALLS_PER_SECOND',
    kind: wholeNumber(1, 1_000_000),
    default: 100,
    meaning:
      "Calls of one charger that are served in a second, after ten seconds' worth at once. Faster ones wait; a charger with more than 256 waiting calls is disconnected.",
  }),
  shards: variable({
    name: 'SHARDS',
    kind: wholeNumber(1, 64),
    default: null,
    shownDefault: 'number of CPUs, at most 64',
    meaning: 'Threads of the gateway.',
  }),
  proxySecret: variable({
    name: 'PROXY_SECRET',
    kind: secret,
    default: null,
    meaning: 'Secret that a trusted proxy sends in addition to its address.',
    isSecret: true,
  }),
};

/** Variables that only `npm start` reads. */
export const startVariables = {
  simulatedChargers: variable({
    name: 'SIMULATED_CHARGERS',
    kind: wholeNumber(0, 20),
    default: null,
    shownDefault: '5 with embedded PostgreSQL, otherwise 0',
    meaning: 'Simulated chargers at a time ([ADR 69](adr/0069-simulated-chargers.md)).',
  }),
};
