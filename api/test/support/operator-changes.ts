import { testRootCertificate } from '#gateway/test/support/root-certificate.ts';
import { signingMeter } from '#shared/simulator/signing-meter.ts';
import { loadSite } from './load-site.ts';

/** A request of a route that changes or commands. `as` names what it made. */
export interface Step {
  route: string;
  /** Parameters of the path, by name; the others are ids of created records. */
  ids?: string[];
  payload?: object | ((made: Record<string, string>) => object);
  as?: string;
  /** The error that the charger's refusal is. */
  refused?: string;
  headers?: Record<string, string>;
  query?: string;
}

const soon = () => new Date(Date.now() + 3_600_000).toISOString();
const elements = [{ price_components: [{ type: 'ENERGY', price: 0.4, step_size: 1 }] }];
const charger = ['charger'];
const command = (name: string, payload?: object): Step => ({
  route: `POST /cpms/v1/chargers/{chargerUuid}/${name}`,
  ids: charger,
  ...(payload !== undefined && { payload }),
});

const upload: Step = {
  route: 'POST /cpms/v1/imports',
  query: '?kind=drivers',
  headers: { 'content-type': 'text/csv' },
  payload: Buffer.from('email,name\neve@example.org,Eve\n'),
};

/** One for each route that changes or commands, in an order in which all succeed. */
export const steps: Step[] = [
  {
    route: 'POST /cpms/v1/networks',
    payload: { slug: 'west', name: 'West', currency: 'EUR' },
    as: 'network',
  },
  { route: 'PATCH /cpms/v1/networks/{uuid}', ids: ['network'], payload: { name: 'Far west' } },
  {
    route: 'POST /cpms/v1/networks/{uuid}/trusted-certificates',
    ids: ['network'],
    payload: { certificate: testRootCertificate.pem },
    as: 'trusted',
  },
  { route: 'DELETE /cpms/v1/networks/{uuid}/trusted-certificates/{id}', ids: ['network', 'trusted'] },
  { route: 'DELETE /cpms/v1/networks/{uuid}', ids: ['network'] },
  { route: 'POST /cpms/v1/api-keys', payload: { name: 'New' }, as: 'key' },
  { route: 'DELETE /cpms/v1/api-keys/{id}', ids: ['key'] },
  { route: 'POST /cpms/v1/public-api-keys', payload: { name: 'New' }, as: 'publicKey' },
  { route: 'DELETE /cpms/v1/public-api-keys/{id}', ids: ['publicKey'] },
  {
    route: 'POST /cpms/v1/operators',
    payload: { email: 'a@b.example', name: 'A', role: 'Viewer', password: 'correct horse battery' },
    as: 'operator',
  },
  { route: 'PATCH /cpms/v1/operators/{uuid}', ids: ['operator'], payload: { name: 'B' } },
  { route: 'DELETE /cpms/v1/operators/{uuid}', ids: ['operator'] },
  {
    route: 'POST /cpms/v1/custom-roles',
    payload: { name: 'Night shift', scopes: ['cpms:read:chargers'], networkUuid: null },
    as: 'role',
  },
  { route: 'PATCH /cpms/v1/custom-roles/{uuid}', ids: ['role'], payload: { name: 'Day shift' } },
  { route: 'DELETE /cpms/v1/custom-roles/{uuid}', ids: ['role'] },
  {
    route: 'POST /cpms/v1/locations',
    payload: {
      name: 'Quay',
      address: 'Quay 1',
      city: 'Rotterdam',
      country: 'NLD',
      coordinates: { latitude: 51.9, longitude: 4.5 },
    },
    as: 'location',
  },
  { route: 'PATCH /cpms/v1/locations/{uuid}', ids: ['location'], payload: { name: 'Harbour' } },
  { route: 'DELETE /cpms/v1/locations/{uuid}', ids: ['location'] },
  { route: 'POST /cpms/v1/manufacturers', payload: { name: 'Maker' }, as: 'manufacturer' },
  {
    route: 'PATCH /cpms/v1/manufacturers/{id}',
    ids: ['manufacturer'],
    payload: { website: 'https://maker.example' },
  },
  {
    route: 'POST /cpms/v1/charger-models',
    payload: ({ manufacturer }) => ({ modelName: 'M', ocppVersion: '1.6', manufacturerId: manufacturer }),
    as: 'model',
  },
  { route: 'PATCH /cpms/v1/charger-models/{id}', ids: ['model'], payload: { description: 'Old' } },
  { route: 'PATCH /cpms/v1/charger-models/{id}/meter-overrides', ids: ['model'], payload: { overrides: [] } },
  {
    route: 'POST /cpms/v1/charger-models/{modelId}/firmware',
    ids: ['model'],
    payload: { version: '1', fileName: 'f.bin', ocppVersionSupport: '1.6' },
    as: 'image',
  },
  {
    route: 'PUT /cpms/v1/firmware-images/{id}/content',
    ids: ['image'],
    payload: Buffer.from('bytes'),
    headers: { 'content-type': 'application/octet-stream' },
  },
  { route: 'DELETE /cpms/v1/firmware-images/{id}', ids: ['image'] },
  { route: 'DELETE /cpms/v1/charger-models/{id}', ids: ['model'] },
  { route: 'DELETE /cpms/v1/manufacturers/{id}', ids: ['manufacturer'] },
  { route: 'POST /cpms/v1/users', payload: { email: 'd@b.example', name: 'D' }, as: 'user' },
  { route: 'PATCH /cpms/v1/users/{uuid}', ids: ['user'], payload: { name: 'E' } },
  { route: 'POST /cpms/v1/wallets', payload: ({ user }) => ({ userId: user }), as: 'wallet' },
  { route: 'POST /cpms/v1/wallets/{uuid}/credit', ids: ['wallet'], payload: { amount: 5, reason: 'Gift' } },
  { route: 'POST /cpms/v1/wallets/{uuid}/debit', ids: ['wallet'], payload: { amount: 5, reason: 'Mistake' } },
  { route: 'POST /cpms/v1/id-tokens', payload: { uid: 'CARD-1', tokenType: 'RFID' }, as: 'token' },
  { route: 'PATCH /cpms/v1/id-tokens/{uuid}', ids: ['token'], payload: { issuer: 'Us' } },
  { route: 'POST /cpms/v1/ocpi-partners', payload: { name: 'Partner' }, as: 'partner' },
  { route: 'PATCH /cpms/v1/ocpi-partners/{uuid}', ids: ['partner'], payload: { name: 'Friend' } },
  { route: 'POST /cpms/v1/ocpi-partners/{uuid}/registration-token', ids: ['partner'] },
  { route: 'POST /cpms/v1/ocpi-partners/{uuid}/unregister', ids: ['partner'] },
  { route: 'DELETE /cpms/v1/ocpi-partners/{uuid}', ids: ['partner'] },
  { route: 'POST /cpms/v1/chargers', payload: { serial: 'CP-1', ocppVersion: '1.6' }, as: 'charger' },
  { route: 'POST /cpms/v1/chargers', payload: { serial: 'CP-2' }, as: 'simulated' },
  {
    route: 'POST /cpms/v1/chargers/{uuid}/simulation',
    ids: ['simulated'],
    payload: { ocppPassword: 'a password' },
  },
  { route: 'DELETE /cpms/v1/chargers/{uuid}/simulation', ids: ['simulated'] },
  { route: 'PATCH /cpms/v1/chargers/{uuid}', ids: charger, payload: { floorLevel: '1' } },
  { route: 'POST /cpms/v1/chargers/{uuid}/registration', ids: charger, payload: { status: 'Accepted' } },
  {
    route: 'POST /cpms/v1/chargers/{uuid}/connectors',
    ids: charger,
    payload: { connectorNumber: 11 },
    as: 'connector',
  },
  { route: 'PATCH /cpms/v1/connectors/{uuid}', ids: ['connector'], payload: { maxPower: 22 } },
  {
    route: 'PATCH /cpms/v1/chargers/{uuid}/evses/{number}',
    ids: ['charger', '11'],
    payload: { floorLevel: '1' },
  },
  { route: 'DELETE /cpms/v1/connectors/{uuid}', ids: ['connector'] },
  {
    route: 'POST /cpms/v1/chargers/{uuid}/meter-keys',
    ids: charger,
    payload: { publicKey: signingMeter().publicKey },
    as: 'meterKey',
  },
  { route: 'DELETE /cpms/v1/chargers/{uuid}/meter-keys/{id}', ids: ['charger', 'meterKey'] },
  { route: 'POST /cpms/v1/tariffs', payload: { name: 'T', elements }, as: 'tariff' },
  { route: 'PATCH /cpms/v1/tariffs/{uuid}', ids: ['tariff'], payload: { name: 'U' } },
  {
    route: 'POST /cpms/v1/tariff-assignments',
    payload: (made) => ({ tariffUuid: made['tariff'], chargerUuid: made['charger'], validFrom: soon() }),
    as: 'assignment',
  },
  { route: 'DELETE /cpms/v1/tariff-assignments/{uuid}', ids: ['assignment'] },
  { route: 'DELETE /cpms/v1/tariffs/{uuid}', ids: ['tariff'] },
  command('remote-start', { idTag: 'CARD-1', connectorNumber: 1 }),
  { route: 'PATCH /cpms/v1/sessions/{uuid}/limits', ids: ['running'], payload: { maxEnergyKwh: 10 } },
  { route: 'POST /cpms/v1/sessions/{uuid}/stop', ids: ['running'] },
  command('remote-stop', { connectorNumber: 1 }),
  command('reboot'),
  command('disconnect'),
  command('trigger-message', { requestedMessage: 'Heartbeat' }),
  command('unlock-connector', { connectorNumber: 1 }),
  command('change-availability', { connectorNumber: 1, type: 'Operative' }),
  command('configuration', { key: 'HeartbeatInterval', value: '60' }),
  command('variables/get', { variables: [{ component: 'OCPPCommCtrlr', variable: 'HeartbeatInterval' }] }),
  command('variables/set', {
    variables: [{ component: 'OCPPCommCtrlr', variable: 'HeartbeatInterval', value: '60' }],
  }),
  command('firmware/update', { location: 'https://files.example/f.bin' }),
  command('rotate-password'),
  command('local-list', {}),
  {
    route: 'POST /cpms/v1/reservations',
    payload: (made) => ({ chargerId: made['charger'], idTag: 'CARD-1', expiresAt: soon() }),
    refused: 'RESERVATION_REFUSED',
  },
  { route: 'DELETE /cpms/v1/reservations/{uuid}', ids: ['reservation'] },
  command('certificates', { use: 'CSMSRoot', certificate: testRootCertificate.pem }),
  { route: 'DELETE /cpms/v1/chargers/{chargerUuid}/certificates/{uuid}', ids: ['charger', 'certificate'] },
  command('charging-profiles', {
    connectorNumber: 1,
    stackLevel: 0,
    purpose: 'TxDefault',
    kind: 'Relative',
    rateUnit: 'A',
    periods: [{ startSeconds: 0, limit: 16 }],
  }),
  {
    route: 'POST /cpms/v1/chargers/{chargerUuid}/charging-profiles/{profileId}/limit',
    ids: ['charger', '1'],
    payload: { limit: 10 },
  },
  {
    route: 'POST /cpms/v1/sessions/{uuid}/priority-charging',
    ids: ['running'],
    payload: { isActive: true },
  },
  { route: 'DELETE /cpms/v1/chargers/{chargerUuid}/charging-profiles', ids: charger },
  {
    route: 'POST /cpms/v1/chargers/{chargerUuid}/ocpp/{action}',
    ids: ['charger', 'ClearCache'],
    payload: {},
  },
  {
    route: 'POST /cpms/v1/sessions/{uuid}/amend',
    ids: ['completed'],
    payload: { reason: 'Misread', energyKwh: 1 },
  },
  {
    route: 'POST /cpms/v1/sessions/{uuid}/approve',
    ids: ['reviewed'],
    payload: { reason: 'The lorry was there', confirmAbovePlausible: true },
  },
  {
    route: 'POST /cpms/v1/exports',
    payload: { dataset: 'sessions', from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' },
    as: 'export',
  },
  { route: 'DELETE /cpms/v1/exports/{uuid}', ids: ['export'] },
  { route: 'POST /cpms/v1/alerts/{uuid}/acknowledge', ids: ['alert'] },
  { route: 'POST /cpms/v1/alerts/{uuid}/resolve', ids: ['alert'] },
  { route: 'PUT /cpms/v1/alert-rules/{kind}', ids: ['charger-faulted'], payload: { notify: false } },
  { route: 'DELETE /cpms/v1/alert-rules/{kind}', ids: ['charger-faulted'] },
  {
    route: 'POST /cpms/v1/alert-mutes',
    payload: () => ({ kind: 'charger-offline', until: soon() }),
    as: 'mute',
  },
  { route: 'DELETE /cpms/v1/alert-mutes/{uuid}', ids: ['mute'] },
  {
    route: 'POST /cpms/v1/alert-channels',
    payload: { name: 'On call', format: 'slack', url: 'https://127.0.0.1:1/hook' },
    as: 'channel',
  },
  { route: 'PATCH /cpms/v1/alert-channels/{uuid}', ids: ['channel'], payload: { isEnabled: false } },
  { route: 'POST /cpms/v1/alert-channels/{uuid}/test', ids: ['channel'] },
  { route: 'DELETE /cpms/v1/alert-channels/{uuid}', ids: ['channel'] },
  {
    route: 'POST /cpms/v1/availability-exclusions',
    payload: ({ charger = '' }) => ({
      chargerId: charger,
      cause: 'grid',
      beginsAt: '2026-01-01T00:00:00Z',
      endsAt: '2026-01-02T00:00:00Z',
      reason: 'Failure of the grid',
    }),
    as: 'exclusion',
  },
  {
    route: 'PATCH /cpms/v1/availability-exclusions/{uuid}',
    ids: ['exclusion'],
    payload: { cause: 'weather', reason: 'Flood' },
  },
  { route: 'DELETE /cpms/v1/availability-exclusions/{uuid}', ids: ['exclusion'] },
  { route: 'POST /cpms/v1/open-data-feeds', payload: { format: 'geojson' }, as: 'feed' },
  { route: 'PATCH /cpms/v1/open-data-feeds/{uuid}', ids: ['feed'], payload: { isEnabled: false } },
  { route: 'DELETE /cpms/v1/open-data-feeds/{uuid}', ids: ['feed'] },
  {
    route: 'POST /cpms/v1/load-sites',
    payload: (made) => loadSite(made['loadConnector'] ?? ''),
    as: 'loadSite',
  },
  { route: 'PATCH /cpms/v1/load-sites/{uuid}', ids: ['loadSite'], payload: { name: 'Garage' } },
  {
    route: 'PUT /cpms/v1/load-sites/{uuid}/bounds/{boundId}',
    ids: ['loadSite', 'dim'],
    payload: { source: 'grid-operator', circuitId: 'grid', amps: [6, 6, 6] },
  },
  { route: 'DELETE /cpms/v1/load-sites/{uuid}/bounds/{boundId}', ids: ['loadSite', 'dim'] },
  {
    route: 'POST /cpms/v1/load-sites/{uuid}/connectors/{connectorId}/release',
    ids: ['loadSite', 'loadConnector'],
  },
  { route: 'DELETE /cpms/v1/load-sites/{uuid}', ids: ['loadSite'] },
  {
    route: 'POST /cpms/v1/alert-thresholds',
    payload: { name: 'Reviews', metric: 'sessions-in-review', comparison: 'above', value: 10 },
    as: 'threshold',
  },
  { route: 'PATCH /cpms/v1/alert-thresholds/{uuid}', ids: ['threshold'], payload: { value: 20 } },
  { route: 'DELETE /cpms/v1/alert-thresholds/{uuid}', ids: ['threshold'] },
  {
    route: 'POST /cpms/v1/webhooks',
    payload: { url: 'http://127.0.0.1:9/events', isEnabled: false },
    as: 'webhook',
  },
  { route: 'PATCH /cpms/v1/webhooks/{uuid}', ids: ['webhook'], payload: { description: 'Fleet' } },
  { route: 'POST /cpms/v1/webhooks/{uuid}/rotate-secret', ids: ['webhook'] },
  { route: 'POST /cpms/v1/webhooks/{uuid}/test', ids: ['webhook'] },
  {
    route: 'POST /cpms/v1/bulk-jobs',
    payload: ({ charger = '' }) => ({ action: 'reboot', chargerUuids: [charger] }),
    as: 'bulkJob',
  },
  { route: 'POST /cpms/v1/bulk-jobs/{uuid}/cancel', ids: ['bulkJob'] },
  { ...upload, as: 'import' },
  { route: 'POST /cpms/v1/imports/{uuid}/check', ids: ['import'], payload: {} },
  { route: 'POST /cpms/v1/imports/{uuid}/cancel', ids: ['import'] },
  { ...upload, as: 'appliedImport' },
  { route: 'POST /cpms/v1/imports/{uuid}/apply', ids: ['appliedImport'], payload: {} },
  {
    route: 'POST /cpms/v1/saved-views',
    payload: { name: 'Faulted', page: 'chargers', query: { state: 'faulted' } },
    as: 'view',
  },
  { route: 'PATCH /cpms/v1/saved-views/{uuid}', ids: ['view'], payload: { name: 'Broken' } },
  { route: 'DELETE /cpms/v1/saved-views/{uuid}', ids: ['view'] },
  { route: 'POST /cpms/v1/webhooks/{uuid}/replay', ids: ['webhook'], payload: { afterSequence: '0' } },
  { route: 'DELETE /cpms/v1/webhooks/{uuid}', ids: ['webhook'] },
  { route: 'DELETE /cpms/v1/id-tokens/{uuid}', ids: ['token'] },
  { route: 'DELETE /cpms/v1/users/{uuid}', ids: ['user'] },
  { route: 'DELETE /cpms/v1/chargers/{uuid}', ids: charger },
];
