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
import type { ChargerRecord, ChargerWithConnectors, ConnectorRecord } from '#api/services/fleet/chargers.ts';
import { registrations } from '#shared/domain/fleet/registration.ts';
import { type Availability, availabilityOf } from '#shared/domain/fleet/charger.ts';

const summary = {
  id: Uuid('Charger identifier.'),
  uid: Type.String({ description: 'The OCPP charge point identity', examples: ['QUAY-1'] }),
  status: Type.String({
    description:
      'Status that the charger reported last, or that was set on creation. UNKNOWN before the first one. The charger ' +
      'is unavailable while isOnline is false, whatever the status.',
    examples: ['Available'],
  }),
  isOnline: Type.Boolean({
    description: 'True when the charger is connected and sent a message within the last 5 minutes.',
  }),
  networkId: NetworkNumber,
  locationId: Nullable(Type.Integer({ description: "The location's integer id", examples: [7] })),
  serialNumber: Type.String({ description: 'As registered', examples: ['QUAY-1'] }),
  firmwareVersion: Nullable(Type.String({ description: 'As the charger reported it', examples: ['1.4.2'] })),
  ocppVersion: Nullable(
    Type.String({ description: '1.6 or 2.0.1, as it last connected; null: never yet', examples: ['1.6'] }),
  ),
  modelUuid: Nullable(Uuid('Charger model identifier. Null when unknown.')),
  manufacturerUuid: Nullable(Uuid('Manufacturer identifier. Null when unknown.')),
  locationName: Nullable(
    Type.String({
      description: 'Name of the location. Null when the charger has no location.',
      examples: ['Quay'],
    }),
  ),
  locationUuid: Nullable(Uuid('Location identifier. Null when the charger has no location.')),
};

/** A charger in the operator's list. */
export const ChargerItem = Named('ChargerSummary', summary);

/** A connector of a charger. */
export const connectorSummary = {
  id: Uuid('Connector identifier.'),
  number: Type.Integer({ description: '1-based', examples: [1] }),
  standard: Nullable(
    Type.String({ description: 'Such as IEC_62196_T2, CHADEMO, CCS', examples: ['IEC_62196_T2'] }),
  ),
  format: Nullable(Type.String({ description: 'SOCKET untethered, CABLE tethered', examples: ['SOCKET'] })),
  powerType: Nullable(
    Type.String({ description: 'AC_1_PHASE, AC_3_PHASE, DC, …', examples: ['AC_3_PHASE'] }),
  ),
  maxPowerKw: Nullable(Type.Number({ description: 'kW', examples: [11] })),
  status: Type.String({
    description: 'Connector status that the charger reported last.',
    examples: ['Available'],
  }),
  availability: Nullable(
    OneOf<Availability>(['Operative', 'Inoperative'], 'As the charger reported it; null: nothing yet'),
  ),
  statusAt: Nullable(DateTime('When the charger reported the status')),
  errorCode: Nullable(
    Type.String({
      description: 'OCPP error code of a fault. `NoError`, or null, without a fault.',
      examples: ['NoError'],
    }),
  ),
  vendorErrorCode: Nullable(
    Type.String({
      description: 'Error code of the manufacturer. Null when there is none.',
      examples: ['E-17'],
    }),
  ),
  info: Nullable(
    Type.String({ description: 'What the charger said of the status or the error', examples: ['Door open'] }),
  ),
};

const ConnectorItem = Named('ChargerConnector', connectorSummary);

/** How a charger must prove who it is. */
export const SecurityProfile = Type.Integer({
  minimum: 0,
  maximum: 3,
  description:
    'OCPP: 0 nothing (where the network allows it), 1 Basic over ws, 2 Basic over wss, 3 client certificate over wss',
  examples: [1],
});

/** A charger with all that the operator knows of it. */
export const ChargerDetail = Named('Charger', {
  ...summary,
  evseId: Type.String({
    description: 'What the ids of its EVSEs begin with; each EVSE may be given another one',
    examples: ['NL*HRB*E0123456789ABCDEF'],
  }),
  isPublic: Type.Boolean({ description: 'Whether drivers see it, at a published location' }),
  physicalReference: Nullable(Type.String({ description: 'What is written on it', examples: ['A-12'] })),
  floorLevel: Nullable(
    Type.String({ description: 'On which floor it stands, such as -1', examples: ['-1'] }),
  ),
  maxPowerKw: Nullable(Type.Number({ description: 'kW: its own, else that of its model', examples: [11] })),
  securityProfile: SecurityProfile,
  certificateCommonName: Nullable(
    Type.String({
      description: 'What its client certificate is to be named; null: its uid',
      examples: ['EP-11-000042'],
    }),
  ),
  lastHeartbeat: Nullable(
    DateTime('Time of the latest message from the charger. Null before the first one.'),
  ),
  isConnected: Type.Boolean({ description: 'A gateway holds its socket now' }),
  connectedAt: Nullable(DateTime('When its newest socket opened')),
  disconnectedAt: Nullable(DateTime('When that socket was closed')),
  registration: OneOf(
    registrations,
    'Answer to its BootNotification. A charger that is Pending or Rejected is held: it serves nobody.',
  ),
  deviceModelCutAt: Nullable(
    DateTime(
      'Time of the first report of the device model that exceeded 20,000 stored rows (OCPP 2.0.1). Null when all of it is stored.',
    ),
  ),
  connectors: Type.Array(ConnectorItem, { description: 'Ordered by number' }),
});

export function chargerItem(charger: ChargerRecord): Static<typeof ChargerItem> {
  return {
    id: charger.uuid,
    uid: charger.uid,
    status: charger.status,
    isOnline: charger.isOnline,
    networkId: charger.networkId,
    locationId: charger.locationId,
    serialNumber: charger.serialNumber,
    firmwareVersion: charger.firmwareVersion,
    ocppVersion: charger.ocppVersion,
    modelUuid: charger.modelUuid,
    manufacturerUuid: charger.manufacturerUuid,
    locationName: charger.locationName,
    locationUuid: charger.locationUuid,
  };
}

export function chargerDetail({ charger, connectors }: ChargerWithConnectors): Static<typeof ChargerDetail> {
  return {
    ...chargerItem(charger),
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
    deviceModelCutAt: isoOrNull(charger.deviceModelCutAt),
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
