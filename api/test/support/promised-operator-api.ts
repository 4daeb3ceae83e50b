/** One row of the operator API's description: what is promised of an endpoint. */
export interface PromisedRow {
  method: 'get' | 'post' | 'patch' | 'delete';
  path: string;
  query?: string[];
  body?: string[];
  /** Of the body: those that must be there. */
  required?: string[];
  status?: '201';
  /** The fields of `data`, or of its items where it is a list. */
  data: string[];
  isList?: boolean;
  isPaged?: boolean;
}

const page = ['page', 'pageSize'];
const rollup = ['metric', 'period', 'from', 'to', 'networkCount', 'networks'];
const rollupQuery = ['from', 'to', 'networkId', 'period'];
const image = [
  'id',
  'version',
  'fileName',
  'fileUrl',
  'fileSizeBytes',
  'releaseNotes',
  'ocppVersionSupport',
  'checksum',
  'isLatest',
  'releasedAt',
  'createdAt',
];
const model = [
  'id',
  'modelName',
  'description',
  'maxPower',
  'numberOfConnectors',
  'supportedConnectorTypes',
  'ocppVersion',
  'supportedFeatures',
  'imageUrl',
  'datasheetUrl',
  'manufacturer',
  'createdAt',
  'updatedAt',
];
const apiKey = [
  'id',
  'name',
  'description',
  'keyType',
  'visibility',
  'apiFamily',
  'keyClass',
  'keyEnvironment',
  'keyPrefix',
  'last4',
  'permissions',
  'expiresAt',
  'isRevoked',
  'isExpired',
  'lastUsedAt',
  'usageCount',
  'rateLimitPerHour',
  'createdAt',
];
const charger = [
  'id',
  'uid',
  'status',
  'networkId',
  'locationId',
  'serialNumber',
  'firmwareVersion',
  'ocppVersion',
  'modelUuid',
  'manufacturerUuid',
  'locationName',
  'locationUuid',
];
const spoken = ['chargerId', 'chargePointId', 'ocppVersion'];
const command = (path: string, body: string[], data: string[]): PromisedRow => ({
  method: 'post',
  path: `/chargers/{chargerUuid}/${path}`,
  body,
  data: ['chargerId', ...data, 'accepted', 'message'],
});

/** Every row of the table of endpoints. */
export const promisedOperatorApi: PromisedRow[] = [
  {
    method: 'get',
    path: '/me',
    data: ['accessibleNetworkCount', 'scopes', 'keyType', 'unrestricted', 'operatorId', 'email'],
  },
  { method: 'get', path: '/.well-known/scopes', data: ['apiFamily', 'reads', 'writes', 'commands', 'note'] },
  { method: 'get', path: '/analytics/revenue', query: rollupQuery, data: [...rollup, 'totalRevenue'] },
  { method: 'get', path: '/analytics/energy', query: rollupQuery, data: [...rollup, 'totalEnergyKwh'] },
  { method: 'get', path: '/analytics/sessions', query: rollupQuery, data: [...rollup, 'totalSessions'] },
  {
    method: 'get',
    path: '/analytics/utilization',
    query: rollupQuery,
    data: [...rollup, 'averageUtilization'],
  },
  {
    method: 'get',
    path: '/analytics/uptime',
    query: ['networkId'],
    data: [
      'metric',
      'totalChargers',
      'available',
      'charging',
      'offline',
      'uptimePercent',
      'offlinePercent',
      'networkCount',
      'networks',
    ],
  },
  {
    method: 'get',
    path: '/analytics/kpis',
    query: ['from', 'to', 'networkId'],
    data: [
      'metric',
      'from',
      'to',
      'totalSessions',
      'totalEnergyKwh',
      'totalRevenue',
      'avgDurationMinutes',
      'networkCount',
    ],
  },
  { method: 'get', path: '/api-keys', query: ['networkUuid'], data: apiKey, isList: true },
  {
    method: 'post',
    path: '/api-keys',
    query: ['networkUuid'],
    body: ['name', 'description', 'scopes', 'expiresAt', 'rateLimitPerHour', 'allowedIPs'],
    status: '201',
    data: [...apiKey, 'key', 'message'],
  },
  { method: 'delete', path: '/api-keys/{id}', query: ['networkUuid'], data: ['id', 'revoked', 'deleted'] },
  {
    method: 'get',
    path: '/audit-log',
    query: [...page, 'category', 'action', 'resourceId', 'from', 'to'],
    data: [
      'id',
      'category',
      'action',
      'resourceId',
      'resourceName',
      'description',
      'details',
      'userId',
      'userName',
      'ipAddress',
      'timestamp',
    ],
    isPaged: true,
  },
  {
    method: 'get',
    path: '/charger-models',
    query: [...page, 'search', 'manufacturerId'],
    data: model,
    isPaged: true,
  },
  { method: 'get', path: '/charger-models/{id}', data: model },
  { method: 'get', path: '/charger-models/{modelId}/firmware', query: page, data: image, isPaged: true },
  { method: 'get', path: '/chargers', query: page, data: charger, isPaged: true },
  {
    method: 'post',
    path: '/chargers',
    body: ['serial', 'networkUuid', 'locationUuid', 'modelUuid', 'status', 'firmwareVersion', 'ocppVersion'],
    required: ['serial'],
    status: '201',
    data: ['id', 'uid', 'evseId', 'serialNumber', 'status', 'networkId', 'locationId', 'created'],
  },
  {
    method: 'get',
    path: '/chargers/{uuid}',
    data: [...charger, 'maxPowerKw', 'securityProfile', 'lastHeartbeat', 'isOnline', 'connectors'],
  },
  {
    method: 'patch',
    path: '/chargers/{uuid}',
    body: ['status', 'physicalReference', 'floorLevel', 'locationUuid'],
    data: ['id', 'updated'],
  },
  {
    method: 'delete',
    path: '/chargers/{uuid}',
    data: ['id', 'deleted', 'deactivatedConnectors', 'deactivatedAssignments'],
  },
  command(
    'remote-start',
    ['idTag', 'connectorNumber'],
    ['connectorNumber', 'idTag', 'deviceType', 'transactionId'],
  ),
  command('remote-stop', [], ['sessionId', 'status', 'deviceType']),
  command('reboot', [], ['resetType']),
  {
    method: 'post',
    path: '/chargers/{uuid}/connectors',
    body: ['standard', 'format', 'powerType', 'connectorNumber', 'maxVoltage', 'maxAmperage', 'maxPower'],
    status: '201',
    data: [
      'id',
      'chargerId',
      'connectorNumber',
      'standard',
      'format',
      'powerType',
      'maxVoltage',
      'maxAmperage',
      'maxPower',
      'created',
    ],
  },
  command('unlock-connector', ['connectorNumber'], ['connectorNumber']),
  command('change-availability', ['connectorNumber', 'type'], ['connectorNumber', 'type']),
  command(
    'trigger-message',
    ['requestedMessage', 'connectorNumber'],
    ['requestedMessage', 'connectorNumber'],
  ),
  {
    method: 'get',
    path: '/chargers/{chargerUuid}/configuration',
    query: ['keys'],
    data: [...spoken, 'result'],
  },
  {
    method: 'post',
    path: '/chargers/{chargerUuid}/configuration',
    body: ['key', 'value'],
    required: ['key', 'value'],
    data: [...spoken, 'key', 'accepted', 'result'],
  },
  {
    method: 'post',
    path: '/chargers/{chargerUuid}/variables/get',
    body: ['variables'],
    data: [...spoken, 'result'],
  },
  {
    method: 'post',
    path: '/chargers/{chargerUuid}/variables/set',
    body: ['variables'],
    data: [...spoken, 'accepted', 'result'],
  },
  {
    method: 'post',
    path: '/chargers/{chargerUuid}/firmware/update',
    data: ['chargerId', 'firmwareVersionId', 'firmwareVersion', 'location', 'accepted', 'payload', 'message'],
  },
  {
    method: 'get',
    path: '/chargers/{chargerUuid}/firmware/status',
    data: [
      'chargerId',
      'currentFirmwareVersion',
      'ocppVersion',
      'isOnline',
      'lastHeartbeat',
      'lastFirmwareUpdate',
    ],
  },
];
