import { OptionalList } from '#api/routes/ocpi/optional-list.ts';
import { Type } from 'typebox';
import { DateTime, Decimal, Integer, Named, OneOf, Str } from '#api/routes/schema.ts';
import { StandardConnector } from '#api/routes/ocpi/standard/connector.ts';
import { StandardEvse } from '#api/routes/ocpi/standard/evse.ts';
import { StandardEnergyMix, StandardLocation } from '#api/routes/ocpi/standard/location.ts';
import {
  capabilities211,
  connectorTypes211,
  facilities211,
  locationTypes211,
  powerTypes211,
} from '#api/services/roaming/wire/v211/enumerations.ts';
import { environmentalImpacts } from '#shared/domain/fleet/location.ts';
import { evseStatuses } from '#shared/domain/fleet/ocpi-evse.ts';

const { max_voltage: voltage, max_amperage: amperage, ...connector } = StandardConnector.properties;
const { tariff_ids: _tariffs, max_electric_power: _power, ...connectorFields } = connector;

/** Connector (OCPI 2.1.1 mod_locations §3.3). */
export const Connector = Named('Ocpi211Connector', {
  ...connectorFields,
  standard: OneOf(connectorTypes211, 'Connector standard (OCPI).'),
  power_type: OneOf(powerTypes211, 'Power type (OCPI).'),
  voltage,
  amperage,
  tariff_id: Type.Optional(Str('Identifier of the tariff that applies now.')),
});

/** EVSE (OCPI 2.1.1 mod_locations §3.2). */
export const Evse = Named('Ocpi211Evse', {
  ...StandardEvse.properties,
  capabilities: OptionalList(OneOf(capabilities211), { description: 'Capabilities of the EVSE (OCPI).' }),
  connectors: Type.Array(Connector, { minItems: 1, description: 'Connectors of the EVSE.' }),
});

/** Energy mix (OCPI 2.1.1 mod_locations §4.5). */
export const EnergyMix = Named('Ocpi211EnergyMix', {
  ...StandardEnergyMix.properties,
  environ_impact: Type.Optional(
    Type.Array(
      Type.Object({
        source: OneOf(environmentalImpacts, 'Kind of environmental impact.'),
        amount: Decimal('Amount in g/kWh.'),
      }),
      { description: 'Environmental impacts of the energy.' },
    ),
  ),
});

const {
  country_code: _country,
  party_id: _party,
  publish: _publish,
  ...location
} = StandardLocation.properties;
const { parking_type: _parking, state: _state, ...locationFields } = location;

const LocationType = OneOf(locationTypes211, 'Kind of location (OCPI). UNKNOWN: not stated.');
const PostalCode = Str('Postal code. "Unknown" if not set.');

/** Location (OCPI 2.1.1 mod_locations §3.1). */
export const Location = Named('Ocpi211Location', {
  ...locationFields,
  type: LocationType,
  postal_code: PostalCode,
  facilities: OptionalList(OneOf(facilities211), { description: 'Facilities at the location (OCPI).' }),
  evses: OptionalList(Evse, { description: 'EVSEs of the location.' }),
  energy_mix: Type.Optional(EnergyMix),
});

const { id, name, address, city, country, coordinates } = locationFields;
const { standard, format, power_type } = Connector.properties;

/** Location of a session or a CDR, with the EVSE and the connector that were used. */
export const ChargedLocation = Named('Ocpi211ChargedLocation', {
  id,
  type: LocationType,
  name,
  address,
  city,
  postal_code: PostalCode,
  country,
  coordinates,
  evses: Type.Array(
    Type.Object({
      uid: Str('Unique identifier.'),
      evse_id: Str('EVSE identifier (eMI3).'),
      status: OneOf(evseStatuses, 'Status (OCPI).'),
      connectors: Type.Array(
        Type.Object({
          id: Str('Identifier.'),
          standard,
          format,
          power_type,
          voltage: Integer('Maximum voltage in V. 0: not known.'),
          amperage: Integer('Maximum current in A. 0: not known.'),
          last_updated: DateTime('Time of the latest change.'),
        }),
        { description: 'Connector that was used.' },
      ),
      last_updated: DateTime('Time of the latest change.'),
    }),
    { description: 'EVSE that was used.' },
  ),
  last_updated: DateTime('Time of the latest change.'),
});
