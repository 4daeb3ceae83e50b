import { ocppVersions } from '#shared/domain/fleet/ocpp-version.ts';
import { type Static, Type } from 'typebox';
import {
  DateTime,
  isoOrNull,
  kilo,
  Named,
  NetworkNumber,
  Nullable,
  OneOf,
  Uuid,
} from '#api/routes/schema.ts';
import type {
  ChargerRecord,
  ChargerWithConnectors,
  ConnectorRecord,
  ListedCharger,
} from '#api/services/fleet/chargers.service.ts';
import { registrations } from '#shared/domain/fleet/registration.ts';
import { type Availability, availabilityOf } from '#shared/domain/fleet/charger.ts';
import { type ChargerState, chargerStateOf, chargerStates } from '#shared/domain/fleet/charger-state.ts';

const summary = {
  id: Uuid('Charger identifier.'),
  uid: Type.String({ description: 'OCPP identity of the charger.', examples: ['QUAY-1'] }),
  status: Type.String({
    description:
      'Status that the charger reported last, or that was set at creation. UNKNOWN before the first report. The ' +
      'charger is unavailable while `isOnline` is false, whatever the status.',
    examples: ['Available'],
  }),
  state: OneOf<ChargerState>(
    chargerStates,
    'State of the charger. occupied: in use, charging or not. offline: not online, whatever the status. unknown: it never ' +
      'reported a status, or one that OCPP does not have.',
  ),
  isOnline: Type.Boolean({
    description: 'True when the charger is connected and sent a message within the last 5 minutes.',
  }),
  networkId: NetworkNumber,
  locationId: Nullable(
    Type.Integer({
      description: 'Integer identifier of the location. Null when the charger has none.',
      examples: [7],
    }),
  ),
  serialNumber: Type.String({ description: 'Serial number at registration.', examples: ['QUAY-1'] }),
  firmwareVersion: Nullable(
    Type.String({
      description: 'Firmware version that the charger reported last. Null before the first report.',
      examples: ['1.4.2'],
    }),
  ),
  ocppVersion: Nullable(
    Type.String({
      description: `OCPP version of the latest connection: ${ocppVersions.join(', ')}. Null before the first one.`,
      examples: ['1.6'],
    }),
  ),
  lastSeenAt: Nullable(DateTime('Time of the latest message from the charger. Null before the first one.')),
  modelUuid: Nullable(Uuid('Charger model identifier. Null when unknown.')),
  modelName: Nullable(
    Type.String({ description: 'Name of the charger model. Null when unknown.', examples: ['Quay 11'] }),
  ),
  manufacturerName: Nullable(
    Type.String({
      description: 'Name of the manufacturer. Null when unknown.',
      examples: ['Harbour Electric'],
    }),
  ),
  manufacturerUuid: Nullable(Uuid('Manufacturer identifier. Null when unknown.')),
  locationName: Nullable(
    Type.String({
      description: 'Name of the location. Null when the charger has no location.',
      examples: ['Quay'],
    }),
  ),
  locationUuid: Nullable(Uuid('Location identifier. Null when the charger has no location.')),
};

/** Charger in the operator's list. */
export const ChargerItem = Named('ChargerSummary', {
  ...summary,
  runningSessions: Type.Integer({ description: 'Number of running sessions.', examples: [1] }),
  powerKw: Nullable(
    Type.Number({
      description: 'Power of the running sessions in kW, as reported last. Null without a report.',
      examples: [11],
    }),
  ),
  openAlerts: Type.Integer({ description: 'Number of alerts that are not resolved.', examples: [0] }),
});

/** Connector of a charger. */
export const connectorSummary = {
  id: Uuid('Connector identifier.'),
  number: Type.Integer({ description: 'Connector number at the charger, starting at 1.', examples: [1] }),
  standard: Nullable(
    Type.String({
      description: 'Connector standard, such as IEC_62196_T2 or CHADEMO. Null when unknown.',
      examples: ['IEC_62196_T2'],
    }),
  ),
  format: Nullable(
    Type.String({
      description: 'Connector format: SOCKET (untethered) or CABLE (tethered). Null when unknown.',
      examples: ['SOCKET'],
    }),
  ),
  powerType: Nullable(
    Type.String({
      description: 'OCPI power type: AC_1_PHASE, AC_3_PHASE, DC, … Null when unknown.',
      examples: ['AC_3_PHASE'],
    }),
  ),
  maxPowerKw: Nullable(
    Type.Number({ description: 'Maximum power in kW. Null when unknown.', examples: [11] }),
  ),
  status: Type.String({
    description: 'Connector status that the charger reported last.',
    examples: ['Available'],
  }),
  availability: Nullable(
    OneOf<Availability>(
      ['Operative', 'Inoperative'],
      'Availability that the charger reported. Null before the first report.',
    ),
  ),
  statusAt: Nullable(DateTime('Time the charger reported the status. Null before the first report.')),
  errorCode: Nullable(
    Type.String({
      description: 'OCPP error code of a fault. `NoError`, or null, without a fault.',
      examples: ['NoError'],
    }),
  ),
  vendorErrorCode: Nullable(
    Type.String({
      description: 'Error code of the manufacturer. Null if not set.',
      examples: ['E-17'],
    }),
  ),
  info: Nullable(
    Type.String({
      description: 'Free text that the charger sent with the status. Null if not set.',
      examples: ['Door open'],
    }),
  ),
};

const ConnectorItem = Named('ChargerConnector', connectorSummary);

/** Security profile of OCPP. */
export const SecurityProfile = Type.Integer({
  minimum: 0,
  maximum: 3,
  description:
    'OCPP security profile. 0: none, where the network allows it. 1: Basic authentication over ws. 2: Basic ' +
    'authentication over wss. 3: client certificate over wss.',
  examples: [1],
});

/** Charger with all details. */
export const ChargerDetail = Named('Charger', {
  ...summary,
  evseId: Type.String({
    description: 'Prefix of the identifiers of its EVSEs. Each EVSE can have another identifier.',
    examples: ['NL*HRB*E0123456789ABCDEF'],
  }),
  isPublic: Type.Boolean({ description: 'True when drivers see the charger, at a published location.' }),
  physicalReference: Nullable(
    Type.String({ description: 'Text printed on the charger. Null when unknown.', examples: ['A-12'] }),
  ),
  floorLevel: Nullable(
    Type.String({ description: 'Floor of the charger, such as -1. Null when unknown.', examples: ['-1'] }),
  ),
  maxPowerKw: Nullable(
    Type.Number({
      description: 'Maximum power in kW of the charger, otherwise of its model. Null when unknown.',
      examples: [11],
    }),
  ),
  securityProfile: SecurityProfile,
  certificateCommonName: Nullable(
    Type.String({
      description: 'Common name of the client certificate. Null: the OCPP identity.',
      examples: ['EP-11-000042'],
    }),
  ),
  lastHeartbeat: Nullable(
    DateTime('Time of the latest message from the charger. Null before the first one.'),
  ),
  isConnected: Type.Boolean({ description: 'True when a gateway holds the connection of the charger.' }),
  connectedAt: Nullable(DateTime('Time the latest connection opened. Null before the first one.')),
  disconnectedAt: Nullable(DateTime('Time the latest connection closed. Null while it is open.')),
  registration: OneOf(
    registrations,
    "Registration: the answer to the charger's BootNotification. A charger that is Pending or Rejected is " +
      'held and starts no session.',
  ),
  localOffsetMinutes: Type.Integer({
    description:
      'Minutes by which times that the charger writes without a zone are ahead of UTC, as its messages show. They are corrected. ' +
      '0: it writes UTC, or always states the zone.',
    examples: [0],
  }),
  deviceModelCutAt: Nullable(
    DateTime(
      'Time of the first report of the device model that exceeded 20,000 stored attributes (OCPP 2.0.1). Null ' +
        'when all of it is stored.',
    ),
  ),
  timeZone: Type.String({
    description: "Time zone of the location (IANA), or the network's when the charger has no location.",
    examples: ['Europe/Amsterdam'],
  }),
  connectors: Type.Array(ConnectorItem, { description: 'Connectors, ordered by number.' }),
});

/** Records that were removed or changed with a charger. */
export const decommissioned = {
  deactivatedConnectors: Type.Integer({
    description: 'Number of connectors that were removed with the charger.',
  }),
  deactivatedAssignments: Type.Integer({
    description: 'Number of tariff assignments to the charger and its connectors that ended.',
  }),
};

export function chargerItem(charger: ListedCharger): Static<typeof ChargerItem> {
  return {
    ...summaryOf(charger),
    runningSessions: charger.runningSessions,
    powerKw: kilo(charger.powerW),
    openAlerts: charger.openAlerts,
  };
}

function summaryOf(charger: ChargerRecord) {
  return {
    id: charger.uuid,
    uid: charger.uid,
    status: charger.status,
    state: chargerStateOf(charger.status, charger.isOnline),
    isOnline: charger.isOnline,
    networkId: charger.networkId,
    locationId: charger.locationId,
    serialNumber: charger.serialNumber,
    firmwareVersion: charger.firmwareVersion,
    ocppVersion: charger.ocppVersion,
    lastSeenAt: isoOrNull(charger.lastHeartbeat),
    modelUuid: charger.modelUuid,
    modelName: charger.modelName,
    manufacturerName: charger.manufacturerName,
    manufacturerUuid: charger.manufacturerUuid,
    locationName: charger.locationName,
    locationUuid: charger.locationUuid,
  };
}

export function chargerDetail({ charger, connectors }: ChargerWithConnectors): Static<typeof ChargerDetail> {
  return {
    ...summaryOf(charger),
    evseId: charger.evseId,
    isPublic: charger.isPublic,
    physicalReference: charger.physicalReference,
    floorLevel: charger.floorLevel,
    maxPowerKw: kilo(charger.maxPowerW),
    securityProfile: charger.securityProfile,
    certificateCommonName: charger.certificateCn,
    lastHeartbeat: isoOrNull(charger.lastHeartbeat),
    isConnected: charger.isConnected,
    connectedAt: isoOrNull(charger.connectedAt),
    disconnectedAt: isoOrNull(charger.disconnectedAt),
    registration: charger.registration,
    localOffsetMinutes: charger.localOffsetMinutes,
    deviceModelCutAt: isoOrNull(charger.deviceModelCutAt),
    timeZone: charger.timeZone,
    connectors: connectors.map(connectorItem),
  };
}

export function connectorItem(connector: ConnectorRecord): Static<typeof ConnectorItem> {
  return {
    id: connector.uuid,
    number: connector.number,
    standard: connector.standard,
    format: connector.format,
    powerType: connector.powerType,
    maxPowerKw: kilo(connector.maxPowerW),
    status: connector.status,
    availability: availabilityOf(connector.status),
    statusAt: isoOrNull(connector.statusAt),
    errorCode: connector.errorCode,
    vendorErrorCode: connector.vendorErrorCode,
    info: connector.statusInfo,
  };
}
