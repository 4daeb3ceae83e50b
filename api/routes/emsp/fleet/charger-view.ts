import { type Static, Type } from 'typebox';
import { DateTime, isoOrNull, kilo, Named, Nullable, Uuid } from '#api/routes/schema.ts';
import type {
  ChargerRecord,
  ChargerWithConnectors,
  ConnectorInUse,
} from '#api/services/fleet/chargers.service.ts';
import type { ConnectorWithCharger } from '#api/services/fleet/connectors.service.ts';
import { connectorStatuses, effectiveStatus } from '#shared/domain/fleet/charger.ts';

const Location = Named('ChargerLocation', {
  id: Uuid('Location identifier.'),
  name: Nullable(
    Type.String({
      description: 'Name of the location. Null when it has none.',
      examples: ['Harbour Charging'],
    }),
  ),
  address: Nullable(Type.String({ description: 'Street and house number.', examples: ['Quay 1'] })),
  city: Nullable(Type.String({ description: 'Town or city.', examples: ['Rotterdam'] })),
  postalCode: Nullable(
    Type.String({ description: 'Postal code. Null when unknown.', examples: ['3011 AA'] }),
  ),
  country: Nullable(
    Type.String({ description: 'Country (ISO 3166-1 alpha-3). Null when unknown.', examples: ['NLD'] }),
  ),
  latitude: Nullable(Type.Number({ description: 'Degrees north (WGS 84).', examples: [51.9] })),
  longitude: Nullable(Type.Number({ description: 'Degrees east (WGS 84).', examples: [4.5] })),
});

const connector = {
  id: Uuid('Connector identifier.'),
  number: Type.Integer({ description: 'Connector number at the charger, starting at 1.', examples: [1] }),
  standard: Nullable(
    Type.String({
      description: 'Connector standard (OCPI), such as IEC_62196_T2_COMBO. Null when unknown.',
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
      description: 'OCPI power type, such as AC_3_PHASE or DC. Null when unknown.',
      examples: ['AC_3_PHASE'],
    }),
  ),
  maxVoltage: Nullable(
    Type.Integer({ description: 'Maximum voltage in V. Null when unknown.', examples: [230] }),
  ),
  maxAmperage: Nullable(
    Type.Integer({ description: 'Maximum current in A. Null when unknown.', examples: [16] }),
  ),
  maxPowerKw: Nullable(
    Type.Number({ description: 'Maximum power in kW. Null when unknown.', examples: [11] }),
  ),
  status: Type.String({
    description: `Status of the connector (OCPP): ${connectorStatuses.join(', ')}. Unavailable while the charger is offline. UNKNOWN when the charger has not reported one.`,
    examples: ['Available'],
  }),
  isAvailable: Type.Boolean({
    description:
      'True when a session can start now: status Available, no running session at the EVSE, and the charger is ' +
      'online.',
  }),
};

/** Charger as shown to drivers, with its connectors. */
export const Charger = Type.Object(
  {
    id: Uuid('Charger identifier.'),
    uid: Type.String({
      description: 'OCPP identity of the charger, as printed on it.',
      examples: ['QUAY-1'],
    }),
    evseId: Type.String({
      description: 'EVSE identifier for roaming partners.',
      examples: ['NL*HRB*E0123456789ABCDEF'],
    }),
    networkId: Uuid('Network identifier.'),
    status: Type.String({
      description:
        'Status of the charger, derived from its connectors: the first of CHARGING (a connector is charging, or ' +
        'its session is suspended), Available, Occupied, Reserved, Unavailable and Faulted that one of them has. ' +
        'Faulted and Unavailable also apply when the charger reports them for the whole station. Unavailable ' +
        'while the charger is offline. UNKNOWN when it has not reported one.',
      examples: ['Available'],
    }),
    isOnline: Type.Boolean({
      description: 'True when the charger is connected and sent a message within the last 5 minutes.',
    }),
    isPublic: Type.Boolean({ description: 'True when drivers see the charger.' }),
    lastHeartbeat: Nullable(
      DateTime('Time of the latest message from the charger. Null before the first one.'),
    ),
    maxPowerKw: Nullable(
      Type.Number({ description: 'Maximum power in kW. Null when unknown.', examples: [11] }),
    ),
    manufacturer: Nullable(
      Type.String({
        description: 'Name of the manufacturer. Null when unknown.',
        examples: ['Example Power'],
      }),
    ),
    model: Nullable(Type.String({ description: 'Charger model. Null when unknown.', examples: ['EP-11'] })),
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
    chargerUid: Type.String({
      description: 'OCPP identity of the charger, as printed on it.',
      examples: ['QUAY-1'],
    }),
    isOnline: Type.Boolean({
      description: 'True when the charger is connected and sent a message within the last 5 minutes.',
    }),
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
