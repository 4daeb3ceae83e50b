import type { OcpiConnector, OcpiEvse, OcpiLocation } from '#api/services/roaming/locations.service.ts';
import { omitNulls } from '#api/services/roaming/wire/omit-nulls.ts';
import { connectorOf } from '#api/services/roaming/wire/v221/connector.ts';
import { evseOf } from '#api/services/roaming/wire/v221/evse.ts';
import { locationOf, shortAddress } from '#api/services/roaming/wire/v221/location.ts';
import {
  capabilities211,
  connectorType211,
  facilities211,
  locationTypeOf,
  known,
  powerType211,
} from './enumerations.ts';
import { energyMix } from './energy-mix.ts';
import { parkingRestrictions221 } from '#shared/domain/fleet/ocpi-evse.ts';

/** Text for a required field without a value. */
export const unknown = 'Unknown';

/** Converts a location: the party is in its path, and every location is published. */
export function locationObject(location: OcpiLocation) {
  const {
    country_code: _country,
    party_id: _party,
    publish: _publish,
    ...object
  } = locationOf(location, evseObject);
  const { parking_type: _parking, state: _state, energy_mix: mix, ...same } = object;
  return {
    ...same,
    address: shortAddress(location),
    type: locationTypeOf(location.parkingType),
    postal_code: location.postalCode?.slice(0, 10) ?? unknown,
    facilities: known(facilities211, location.facilities),
    ...(mix && { energy_mix: energyMix(mix) }),
  };
}

/** Converts an EVSE. Null: it has no connectors. */
export function evseObject(evse: OcpiEvse) {
  const object = evseOf(evse, connectorObject);
  return (
    object && {
      ...object,
      capabilities: known(capabilities211, object.capabilities),
      parking_restrictions: parkingRestrictions221(evse.parkingRestrictions),
    }
  );
}

/** Converts a connector. Null: a field that the standard requires is missing, or it has another type of connector. */
export function connectorObject(connector: OcpiConnector) {
  const object = connectorOf(connector, connectorType211(connector.type));
  if (object === null) return null;
  const { max_voltage: voltage, max_amperage: amperage, tariff_ids: tariffIds, ...more } = object;
  const { max_electric_power: _power, power_type: powerType, ...same } = more;
  return {
    ...same,
    power_type: powerType211(powerType),
    voltage,
    amperage,
    ...omitNulls({ tariff_id: tariffIds[0] }),
  };
}
