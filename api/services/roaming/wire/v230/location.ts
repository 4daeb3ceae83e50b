import type { OcpiConnector, OcpiEvse, OcpiLocation } from '#api/services/roaming/locations.service.ts';
import { omitNulls } from '#api/services/roaming/wire/omit-nulls.ts';
import { connectorOf } from '#api/services/roaming/wire/v221/connector.ts';
import { evseOf } from '#api/services/roaming/wire/v221/evse.ts';
import { locationOf } from '#api/services/roaming/wire/v221/location.ts';
import { parkingObject } from './parking.ts';
import { connectorType230Of } from '#shared/domain/fleet/ocpi-evse.ts';

/** Converts a location, with its parking places and the telephone number of the network's support. */
export function locationObject(location: OcpiLocation) {
  return {
    ...locationOf(location, evseObject),
    parking_places: location.parkingPlaces.map(parkingObject),
    ...omitNulls({ help_phone: location.supportPhone && helpPhone(location.supportPhone) }),
  };
}

/** Returns a telephone number in at most 25 characters, without spaces and punctuation where needed. Null: it does not fit. */
function helpPhone(number: string): string | null {
  const short = number.length <= 25 ? number : number.replaceAll(/[\s().,/-]/g, '');
  return short.length <= 25 && /^\+?[\d\s().,/-]+$/.test(short) ? short : null;
}

/** Converts an EVSE, for a national access point with the eMSPs that are registered. Null: it has no connectors. */
export function evseObject(evse: OcpiEvse) {
  const object = evseOf(evse, connectorObject);
  return (
    object && {
      ...object,
      parking: evse.parking.map(({ parkingId, evsePosition }) => ({
        parking_id: parkingId,
        ...omitNulls({ evse_position: evsePosition }),
      })),
      ...omitNulls({ accepted_service_providers: evse.serviceProviders }),
    }
  );
}

/** Converts a connector. Null: a field that the standard requires is missing. */
export function connectorObject(connector: OcpiConnector) {
  const object = connectorOf(connector, connectorType230Of(connector.standard));
  return object && { ...object, capabilities: connector.capabilities };
}
