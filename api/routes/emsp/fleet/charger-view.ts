import { type Static, Type } from 'typebox';
import {
  DateTime,
  Decimal,
  Flag,
  Integer,
  isoOrNull,
  kilo,
  Named,
  Nullable,
  Str,
  Uuid,
} from '#api/routes/schema.ts';
import type {
  ChargerRecord,
  ChargerWithConnectors,
  ConnectorInUse,
} from '#api/services/fleet/chargers.service.ts';
import type { ConnectorWithCharger } from '#api/services/fleet/connectors.service.ts';
import { connectorStatuses, effectiveStatus } from '#shared/domain/fleet/charger.ts';

const Location = Named('ChargerLocation', {
  id: Uuid('Location identifier.'),
  name: Nullable(Str('Name of the location. Null when it has none.', 'Harbour Charging')),
  address: Nullable(Str('Street and house number.', 'Quay 1')),
  city: Nullable(Str('Town or city.', 'Rotterdam')),
  postalCode: Nullable(Str('Postal code. Null when unknown.', '3011 AA')),
  country: Nullable(Str('Country (ISO 3166-1 alpha-3). Null when unknown.', 'NLD')),
  latitude: Nullable(Decimal('Degrees north (WGS 84).', 51.9)),
  longitude: Nullable(Decimal('Degrees east (WGS 84).', 4.5)),
});

const connector = {
  id: Uuid('Connector identifier.'),
  number: Integer('Connector number at the charger, starting at 1.', 1),
  standard: Nullable(
    Str('Connector standard (OCPI), such as IEC_62196_T2_COMBO. Null when unknown.', 'IEC_62196_T2'),
  ),
  format: Nullable(
    Str('Connector format: SOCKET (untethered) or CABLE (tethered). Null when unknown.', 'SOCKET'),
  ),
  powerType: Nullable(Str('OCPI power type, such as AC_3_PHASE or DC. Null when unknown.', 'AC_3_PHASE')),
  maxVoltage: Nullable(Integer('Maximum voltage in V. Null when unknown.', 230)),
  maxAmperage: Nullable(Integer('Maximum current in A. Null when unknown.', 16)),
  maxPowerKw: Nullable(Decimal('Maximum power in kW. Null when unknown.', 11)),
  status: Str(
    `Status of the connector (OCPP): ${connectorStatuses.join(', ')}. Unavailable while the charger is offline. UNKNOWN when the charger has not reported one.`,
    'Available',
  ),
  isAvailable: Flag(
    'True when a session can start now: status Available, no running session at the EVSE, and the charger is ' +
      'online.',
  ),
};

/** Charger as shown to drivers, with its connectors. */
export const Charger = Type.Object(
  {
    id: Uuid('Charger identifier.'),
    uid: Str('OCPP identity of the charger, as printed on it.', 'QUAY-1'),
    evseId: Str('EVSE identifier for roaming partners.', 'NL*HRB*E0123456789ABCDEF'),
    networkId: Uuid('Network identifier.'),
    status: Str(
      'Status of the charger, derived from its connectors: the first of CHARGING (a connector is charging, or ' +
        'its session is suspended), Available, Occupied, Reserved, Unavailable and Faulted that one of them has. ' +
        'Faulted and Unavailable also apply when the charger reports them for the whole station. Unavailable ' +
        'while the charger is offline. UNKNOWN when it has not reported one.',
      'Available',
    ),
    isOnline: Flag('True when the charger is connected and sent a message within the last 5 minutes.'),
    isPublic: Flag('True when drivers see the charger.'),
    lastHeartbeat: Nullable(
      DateTime('Time of the latest message from the charger. Null before the first one.'),
    ),
    maxPowerKw: Nullable(Decimal('Maximum power in kW. Null when unknown.', 11)),
    manufacturer: Nullable(Str('Name of the manufacturer. Null when unknown.', 'Example Power')),
    model: Nullable(Str('Charger model. Null when unknown.', 'EP-11')),
    location: Type.Union([Location, Type.Null()], {
      description: 'Location of the charger. Null when it has none.',
    }),
    connectors: Type.Array(Type.Object(connector), { description: 'Connectors, ordered by number.' }),
  },
  { title: 'PublicCharger', description: 'The charger.' },
);

/** Status of a connector. */
export const ConnectorStatus = Type.Object(
  {
    ...connector,
    chargerId: Uuid('Charger identifier.'),
    chargerUid: Str('OCPP identity of the charger, as printed on it.', 'QUAY-1'),
    isOnline: Flag('True when the charger is connected and sent a message within the last 5 minutes.'),
    statusAt: Nullable(DateTime('Time the charger reported the status. Null before the first report.')),
    errorCode: Nullable(Str('OCPP error code of a fault. `NoError`, or null, without a fault.', 'NoError')),
    vendorErrorCode: Nullable(Str('Error code of the manufacturer. Null if not set.', 'E-17')),
    info: Nullable(Str('Free text that the charger sent with the status. Null if not set.', 'Door open')),
    activeSessionId: Nullable(
      Uuid('Running session at the connector. Null without one; drivers see only their own.'),
    ),
  },
  { title: 'ConnectorStatus', description: 'Current status of a connector.' },
);

export function chargerView({ charger, connectors }: ChargerWithConnectors): Static<typeof Charger> {
  return {
    id: charger.uuid,
    uid: charger.uid,
    evseId: charger.evseId,
    networkId: charger.networkUuid,
    status: effectiveStatus(charger.status, charger.isOnline),
    isOnline: charger.isOnline,
    isPublic: charger.isPublic,
    lastHeartbeat: isoOrNull(charger.lastHeartbeat),
    maxPowerKw: kilo(charger.maxPowerW),
    manufacturer: charger.manufacturerName,
    model: charger.modelName,
    location: locationView(charger),
    connectors: connectors.map((record) => connectorView(record, charger.isOnline)),
  };
}

export function connectorStatusView(record: ConnectorWithCharger): Static<typeof ConnectorStatus> {
  return {
    ...connectorView(record, record.isOnline),
    chargerId: record.chargerUuid,
    chargerUid: record.chargerUid,
    isOnline: record.isOnline,
    statusAt: isoOrNull(record.statusAt),
    errorCode: record.errorCode,
    vendorErrorCode: record.vendorErrorCode,
    info: record.statusInfo,
    activeSessionId: record.activeSessionUuid,
  };
}

function locationView(charger: ChargerRecord): Static<typeof Location> | null {
  if (charger.locationUuid === null) return null;
  return {
    id: charger.locationUuid,
    name: charger.locationName,
    address: charger.address,
    city: charger.city,
    postalCode: charger.postalCode,
    country: charger.country,
    latitude: charger.latitude,
    longitude: charger.longitude,
  };
}

function connectorView(record: ConnectorInUse, isOnline: boolean) {
  return {
    id: record.uuid,
    number: record.number,
    standard: record.standard,
    format: record.format,
    powerType: record.powerType,
    maxVoltage: record.maxVoltage,
    maxAmperage: record.maxAmperage,
    maxPowerKw: kilo(record.maxPowerW),
    status: effectiveStatus(record.status, isOnline),
    isAvailable: isOnline && record.status === 'Available' && !record.isBusy,
  };
}
