import { OptionalList } from '#api/routes/ocpi/optional-list.ts';
import { Type } from 'typebox';
import { Named, OneOf, Str } from '#api/routes/schema.ts';
import { StandardConnector } from '#api/routes/ocpi/standard/connector.ts';
import { StandardEvse } from '#api/routes/ocpi/standard/evse.ts';
import { StandardLocation } from '#api/routes/ocpi/standard/location.ts';
import {
  connectorCapabilities,
  connectorTypes230,
  parkingRestrictions230,
} from '#shared/domain/fleet/ocpi-evse.ts';
import { EvseParking, ParkingPlace } from './parking.ts';

/** Connector (OCPI 2.3.0). */
export const Connector = Named('Ocpi230Connector', {
  ...StandardConnector.properties,
  standard: OneOf(connectorTypes230, 'Connector standard (OCPI).'),
  capabilities: OptionalList(OneOf(connectorCapabilities), {
    description: 'Functions that drivers can use at the connector.',
  }),
});

/** EVSE (OCPI 2.3.0). */
export const Evse = Named('Ocpi230Evse', {
  ...StandardEvse.properties,
  connectors: Type.Array(Connector, { minItems: 1, description: 'Connectors of the EVSE.' }),
  parking_restrictions: OptionalList(OneOf(parkingRestrictions230), {
    description: 'Restrictions on parking (OCPI).',
  }),
  parking: OptionalList(EvseParking, { description: 'Parking places that can be used at the EVSE.' }),
  accepted_service_providers: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Names of the eMSPs whose drivers can charge at the EVSE, with the network itself once it has drivers. An eMSP behind a hub is ' +
        'identified by its party. Only for partners that the operator marked as national access points.',
      examples: [['Example eMSP', 'FR-EMP']],
    }),
  ),
});

/** Location (OCPI 2.3.0). */
export const Location = Named('Ocpi230Location', {
  ...StandardLocation.properties,
  evses: OptionalList(Evse, { description: 'EVSEs of the location.' }),
  parking_places: OptionalList(ParkingPlace, { description: 'Parking places of the location.' }),
  help_phone: Type.Optional(Str('Telephone number of the support for drivers.', '+31 10 123 4567')),
});
