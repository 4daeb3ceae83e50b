import { type Static, Type } from 'typebox';
import { DisplayText, GeoLocation, Image, OcpiId } from '#api/routes/ocpi/location-parts.ts';
import { DateTime, EvseId, Nullable, OneOf, Str, Text } from '#api/routes/schema.ts';
import type { SentEvse } from '#api/services/roaming/location-writes.service.ts';
import type { OcpiEvse } from '#api/services/roaming/locations.service.ts';
import { geoLocationOrNull } from '#api/services/roaming/wire/geo-location.ts';
import { OcpiDateTime, statedTime } from '#api/services/roaming/wire/date-time.ts';
import { omitNulls } from '#api/services/roaming/wire/omit-nulls.ts';
import {
  capabilities,
  evseStatuses,
  parkingRestrictions,
  parkingRestrictions221,
} from '#shared/domain/fleet/ocpi-evse.ts';
import { capabilitiesOf } from '#shared/domain/fleet/evse-capabilities.ts';
import { itemsOf } from './removable.ts';
import { Connector, ConnectorBody, connectorView, sentConnector } from './connector.ts';

const fields = {
  uid: OcpiId,
  evse_id: EvseId,
  status: OneOf(evseStatuses, 'Status (OCPI).'),
  floor_level: Text(4, 'Floor of the EVSE.'),
  physical_reference: Text(16, 'Text printed on the EVSE.'),
  status_schedule: Type.Array(
    Type.Object({
      periodBegin: DateTime('Start of the period.'),
      periodEnd: Type.Optional(DateTime('End of the period.')),
      status: OneOf(evseStatuses, 'Status (OCPI).'),
    }),
    { maxItems: 100, description: 'Planned statuses.' },
  ),
  capabilities: Type.Array(OneOf(capabilities), {
    maxItems: capabilities.length,
    uniqueItems: true,
    description: 'Capabilities of the EVSE (OCPI).',
  }),
  coordinates: GeoLocation,
  directions: Type.Array(DisplayText, { maxItems: 50, description: 'Directions by language.' }),
  parking_restrictions: Type.Array(Type.Object({ value: OneOf(parkingRestrictions, 'Value (OCPI).') }), {
    maxItems: parkingRestrictions.length,
    uniqueItems: true,
    description: 'Restrictions on parking (OCPI).',
  }),
  images: Type.Array(Image, { maxItems: 50, description: 'Pictures.' }),
  last_updated: OcpiDateTime(),
};

export const Evse = Type.Partial(
  Type.Object({
    ...fields,
    location_ocpi_id: Str('Location identifier.'),
    connectors: Type.Array(Connector, { description: 'Connectors of the EVSE.' }),
    last_heartbeat: DateTime('Time of the latest message from the charger.'),
  }),
  { title: 'OcpiEvse' },
);

/** Converts an EVSE for the documented surface. */
export function evseView(evse: OcpiEvse): Static<typeof Evse> {
  return omitNulls({
    uid: evse.uid,
    evse_id: evse.evseId,
    location_ocpi_id: evse.locationOcpiId,
    status: evse.status,
    status_schedule: evse.statusSchedule,
    capabilities: capabilitiesOf(evse),
    connectors: evse.connectors.map(connectorView),
    floor_level: evse.floorLevel,
    coordinates: geoLocationOrNull(evse),
    physical_reference: evse.physicalReference,
    directions: evse.directions,
    parking_restrictions: parkingRestrictions221(evse.parkingRestrictions).map((value) => ({ value })),
    images: evse.images,
    last_updated: evse.lastUpdated.toISOString(),
    last_heartbeat: evse.lastHeartbeat?.toISOString(),
  });
}

export const EvseBody = Type.Partial(
  Type.Object({
    ...fields,
    evse_id: Nullable(fields.evse_id),
    floor_level: Nullable(fields.floor_level),
    physical_reference: Nullable(fields.physical_reference),
    status_schedule: Nullable(fields.status_schedule),
    capabilities: Nullable(fields.capabilities),
    coordinates: Nullable(fields.coordinates),
    directions: Nullable(fields.directions),
    parking_restrictions: Nullable(fields.parking_restrictions),
    images: Nullable(fields.images),
    connectors: Type.Array(ConnectorBody, { maxItems: 20, description: 'Connectors of the EVSE.' }),
  }),
);

/** Converts a partner's EVSE. */
export function sentEvse(body: Static<typeof EvseBody>): SentEvse {
  return {
    uid: body.uid,
    evseId: body.evse_id,
    statedStatus: body.status,
    statusSchedule: itemsOf(body.status_schedule),
    capabilities: body.capabilities,
    physicalReference: body.physical_reference,
    floorLevel: body.floor_level,
    latitude: body.coordinates && Number(body.coordinates.latitude),
    longitude: body.coordinates && Number(body.coordinates.longitude),
    directions: itemsOf(body.directions),
    parkingRestrictions: itemsOf(body.parking_restrictions)?.map(({ value }) => value),
    images: itemsOf(body.images),
    connectors: body.connectors?.map(sentConnector),
    lastUpdated: body.last_updated === undefined ? undefined : statedTime('last_updated', body.last_updated),
  };
}
