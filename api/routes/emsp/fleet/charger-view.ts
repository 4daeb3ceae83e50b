import { type Static, Type } from 'typebox';
import { DateTime, isoOrNull, kilo, Named, Nullable, Uuid } from '#api/routes/schema.ts';
import type { ChargerRecord, ChargerWithConnectors, ConnectorInUse } from '#api/services/fleet/chargers.ts';
import type { ConnectorWithCharger } from '#api/services/fleet/connectors.ts';
import { connectorStatuses, effectiveStatus } from '#shared/domain/fleet/charger.ts';

const Location = Named('ChargerLocation', {
  id: Uuid(),
  name: Nullable(Type.String()),
  address: Nullable(Type.String()),
  city: Nullable(Type.String()),
  postalCode: Nullable(Type.String()),
  country: Nullable(Type.String({ description: 'ISO 3166-1 alpha-3' })),
  latitude: Nullable(Type.Number()),
  longitude: Nullable(Type.Number()),
});

const connector = {
  id: Uuid(),
  number: Type.Integer({ description: '1-based' }),
  standard: Nullable(Type.String()),
  format: Nullable(Type.String()),
  powerType: Nullable(Type.String()),
  maxVoltage: Nullable(Type.Integer({ description: 'V' })),
  maxAmperage: Nullable(Type.Integer({ description: 'A' })),
  maxPowerKw: Nullable(Type.Number()),
  status: Type.String({
    description: `${connectorStatuses.join(', ')}, as in OCPP. Unavailable while the charger is offline. UNKNOWN when the charger has not reported one.`,
  }),
  isAvailable: Type.Boolean({
    description:
      'Free to charge now: status Available, no session runs at its EVSE, and the charger is online',
  }),
};

/** A charger as drivers see it, with its connectors. */
export const Charger = Type.Object(
  {
    id: Uuid(),
    uid: Type.String({ description: 'The OCPP charge point identity, as written on the charger' }),
    evseId: Type.String({ description: 'The identity that roaming partners see' }),
    networkId: Uuid(),
    status: Type.String({
      description:
        'Status of the charger, derived from its connectors: the first of CHARGING (a connector charges, or its session is ' +
        'suspended), Available, Occupied, Reserved, Unavailable and Faulted that one of them has. Faulted and ' +
        'Unavailable also when the charger reports them for the whole station. Unavailable while the charger is ' +
        'offline. UNKNOWN when it has not reported one.',
    }),
    isOnline: Type.Boolean({
      description: 'True when the charger is connected and sent a message within the last 5 minutes.',
    }),
    isPublic: Type.Boolean({ description: 'Whether drivers see it' }),
    lastHeartbeat: Nullable(DateTime()),
    maxPowerKw: Nullable(Type.Number()),
    manufacturer: Nullable(Type.String()),
    model: Nullable(Type.String()),
    location: Type.Union([Location, Type.Null()]),
    connectors: Type.Array(Type.Object(connector), { description: 'Ordered by number' }),
  },
  { title: 'PublicCharger', description: 'The charger' },
);

/** The state of one connector. */
export const ConnectorStatus = Type.Object(
  {
    ...connector,
    chargerId: Uuid(),
    chargerUid: Type.String(),
    isOnline: Type.Boolean({
      description: 'True when the charger is connected and sent a message within the last 5 minutes.',
    }),
    statusAt: Nullable(DateTime('When the charger reported the status')),
    errorCode: Nullable(Type.String()),
    vendorErrorCode: Nullable(Type.String()),
    info: Nullable(Type.String()),
    activeSessionId: Nullable(Uuid('The session that runs there; a driver sees only their own')),
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
