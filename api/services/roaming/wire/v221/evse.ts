import type { OcpiConnector, OcpiEvse } from '#api/services/roaming/locations.service.ts';
import { capabilitiesOf } from '#shared/domain/fleet/evse-capabilities.ts';
import { parkingRestrictions221 } from '#shared/domain/fleet/ocpi-evse.ts';
import { connectorObject } from './connector.ts';
import { geoLocationOrNull } from '#api/services/roaming/wire/geo-location.ts';
import { omitNulls } from '#api/services/roaming/wire/omit-nulls.ts';

/**
 * An EVSE in the standard's form, with those of its connectors that are; null: it has none, and the standard knows no
 * EVSE without.
 */
export function evseObject(evse: OcpiEvse) {
  const object = evseOf(evse, connectorObject);
  return object && { ...object, parking_restrictions: parkingRestrictions221(evse.parkingRestrictions) };
}

/** Converts an EVSE with the connectors of a version. */
export function evseOf<Connector extends object>(
  evse: OcpiEvse,
  connectorIn: (connector: OcpiConnector) => Connector | null,
) {
  const connectors = evse.connectors.map(connectorIn).filter((connector) => connector !== null);
  if (connectors.length === 0) return null;
  return {
    uid: evse.uid,
    status: evse.status,
    status_schedule: evse.statusSchedule.map(({ periodBegin, periodEnd, status }) => ({
      period_begin: periodBegin,
      ...omitNulls({ period_end: periodEnd }),
      status,
    })),
    capabilities: capabilitiesOf(evse),
    connectors,
    ...omitNulls({
      evse_id: evse.evseId,
      floor_level: evse.floorLevel,
      coordinates: geoLocationOrNull(evse),
      physical_reference: evse.physicalReference,
    }),
    directions: evse.directions,
    parking_restrictions: evse.parkingRestrictions,
    images: evse.images,
    last_updated: evse.lastUpdated.toISOString(),
  };
}
