import { ocppVersions } from '#shared/domain/fleet/ocpp-version.ts';
import { type Static, Type } from 'typebox';
import {
  DateTime,
  Decimal,
  Flag,
  Integer,
  isoOrNull,
  kilo,
  Named,
  NetworkNumber,
  Nullable,
  OneOf,
  Str,
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
  uid: Str('OCPP identity of the charger.', 'QUAY-1'),
  status: Str(
    'Status that the charger reported last, or that was set at creation. UNKNOWN before the first report. The ' +
      'charger is unavailable while `isOnline` is false, whatever the status.',
    'Available',
  ),
  state: OneOf<ChargerState>(
    chargerStates,
    'State of the charger. occupied: in use, charging or not. offline: not online, whatever the status. unknown: it never ' +
      'reported a status, or one that OCPP does not have.',
  ),
  isOnline: Flag('True when the charger is connected and sent a message within the last 5 minutes.'),
  networkId: NetworkNumber,
  locationId: Nullable(Integer('Integer identifier of the location. Null when the charger has none.', 7)),
  serialNumber: Str('Serial number at registration.', 'QUAY-1'),
  firmwareVersion: Nullable(
    Str('Firmware version that the charger reported last. Null before the first report.', '1.4.2'),
  ),
  ocppVersion: Nullable(
    Str(
      `OCPP version of the latest connection: ${ocppVersions.join(', ')}. Null before the first one.`,
      '1.6',
    ),
  ),
  lastSeenAt: Nullable(DateTime('Time of the latest message from the charger. Null before the first one.')),
  modelUuid: Nullable(Uuid('Charger model identifier. Null when unknown.')),
  modelName: Nullable(Str('Name of the charger model. Null when unknown.', 'Quay 11')),
  manufacturerName: Nullable(Str('Name of the manufacturer. Null when unknown.', 'Harbour Electric')),
  manufacturerUuid: Nullable(Uuid('Manufacturer identifier. Null when unknown.')),
  locationName: Nullable(Str('Name of the location. Null when the charger has no location.', 'Quay')),
  locationUuid: Nullable(Uuid('Location identifier. Null when the charger has no location.')),
};

/** Charger in the operator's list. */
export const ChargerItem = Named('ChargerSummary', {
  ...summary,
  runningSessions: Integer('Number of running sessions.', 1),
  powerKw: Nullable(
    Decimal('Power of the running sessions in kW, as reported last. Null without a report.', 11),
  ),
  openAlerts: Integer('Number of alerts that are not resolved.', 0),
});

/** Connector of a charger. */
export const connectorSummary = {
  id: Uuid('Connector identifier.'),
  number: Integer('Connector number at the charger, starting at 1.', 1),
  standard: Nullable(
    Str('Connector standard, such as IEC_62196_T2 or CHADEMO. Null when unknown.', 'IEC_62196_T2'),
  ),
  format: Nullable(
    Str('Connector format: SOCKET (untethered) or CABLE (tethered). Null when unknown.', 'SOCKET'),
  ),
  powerType: Nullable(Str('OCPI power type: AC_1_PHASE, AC_3_PHASE, DC, … Null when unknown.', 'AC_3_PHASE')),
  maxPowerKw: Nullable(Decimal('Maximum power in kW. Null when unknown.', 11)),
  status: Str('Connector status that the charger reported last.', 'Available'),
  availability: Nullable(
    OneOf<Availability>(
      ['Operative', 'Inoperative'],
      'Availability that the charger reported. Null before the first report.',
    ),
  ),
  statusAt: Nullable(DateTime('Time the charger reported the status. Null before the first report.')),
  errorCode: Nullable(Str('OCPP error code of a fault. `NoError`, or null, without a fault.', 'NoError')),
  vendorErrorCode: Nullable(Str('Error code of the manufacturer. Null if not set.', 'E-17')),
  info: Nullable(Str('Free text that the charger sent with the status. Null if not set.', 'Door open')),
};

const ConnectorItem = Named('ChargerConnector', connectorSummary);

/** Security profile of OCPP. */
export const SecurityProfile = Integer(
  'OCPP security profile. 0: none, where the network allows it. 1: Basic authentication over ws. 2: Basic ' +
    'authentication over wss. 3: client certificate over wss.',
  1,
  { minimum: 0, maximum: 3 },
);

/** Charger with all details. */
export const ChargerDetail = Named('Charger', {
  ...summary,
  evseId: Str(
    'Prefix of the identifiers of its EVSEs. Each EVSE can have another identifier.',
    'NL*HRB*E0123456789ABCDEF',
  ),
  isPublic: Flag('True when drivers see the charger, at a published location.'),
  physicalReference: Nullable(Str('Text printed on the charger. Null when unknown.', 'A-12')),
  floorLevel: Nullable(Str('Floor of the charger, such as -1. Null when unknown.', '-1')),
  maxPowerKw: Nullable(
    Decimal('Maximum power in kW of the charger, otherwise of its model. Null when unknown.', 11),
  ),
  securityProfile: SecurityProfile,
  certificateCommonName: Nullable(
    Str('Common name of the client certificate. Null: the OCPP identity.', 'EP-11-000042'),
  ),
  lastHeartbeat: Nullable(
    DateTime('Time of the latest message from the charger. Null before the first one.'),
  ),
  isConnected: Flag('True when a gateway holds the connection of the charger.'),
  connectedAt: Nullable(DateTime('Time the latest connection opened. Null before the first one.')),
  disconnectedAt: Nullable(DateTime('Time the latest connection closed. Null while it is open.')),
  registration: OneOf(
    registrations,
    "Registration: the answer to the charger's BootNotification. A charger that is Pending or Rejected is " +
      'held and starts no session.',
  ),
  localOffsetMinutes: Integer(
    'Minutes by which times that the charger writes without a zone are ahead of UTC, as its messages show. They are corrected. ' +
      '0: it writes UTC, or always states the zone.',
    0,
  ),
  deviceModelCutAt: Nullable(
    DateTime(
      'Time of the first report of the device model that exceeded 20,000 stored attributes (OCPP 2.0.1). Null ' +
        'when all of it is stored.',
    ),
  ),
  timeZone: Str(
    "Time zone of the location (IANA), or the network's when the charger has no location.",
    'Europe/Amsterdam',
  ),
  connectors: Type.Array(ConnectorItem, { description: 'Connectors, ordered by number.' }),
});

/** Records that were removed or changed with a charger. */
export const decommissioned = {
  deactivatedConnectors: Integer('Number of connectors that were removed with the charger.'),
  deactivatedAssignments: Integer(
    'Number of tariff assignments to the charger and its connectors that ended.',
  ),
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
