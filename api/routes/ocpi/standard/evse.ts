import { OptionalList } from '#api/routes/ocpi/optional-list.ts';
import { Type } from 'typebox';
import { DisplayText, GeoLocation, Image } from '#api/routes/ocpi/location-parts.ts';
import { DateTime, Named, OneOf, Str } from '#api/routes/schema.ts';
import { capabilities, evseStatuses, parkingRestrictions } from '#shared/domain/fleet/ocpi-evse.ts';
import { StandardConnector } from './connector.ts';

/** EVSE (OCPI 2.2.1 §8.3.2). */
export const StandardEvse = Named('Ocpi221Evse', {
  uid: Str('Unique identifier.'),
  evse_id: Type.Optional(Str('EVSE identifier (eMI3).')),
  status: OneOf(evseStatuses, 'Status (OCPI).'),
  status_schedule: OptionalList(
    Type.Object({
      period_begin: DateTime('Start of the period.'),
      period_end: Type.Optional(DateTime('End of the period.')),
      status: OneOf(evseStatuses, 'Status (OCPI).'),
    }),
    { description: 'Planned statuses.' },
  ),
  capabilities: OptionalList(OneOf(capabilities), { description: 'Capabilities of the EVSE (OCPI).' }),
  connectors: Type.Array(StandardConnector, { minItems: 1, description: 'Connectors of the EVSE.' }),
  floor_level: Type.Optional(Str('Floor of the EVSE.')),
  coordinates: Type.Optional(GeoLocation),
  physical_reference: Type.Optional(Str('Text printed on the EVSE.')),
  directions: OptionalList(DisplayText, { description: 'Directions by language.' }),
  parking_restrictions: OptionalList(OneOf(parkingRestrictions), {
    description: 'Restrictions on parking (OCPI).',
  }),
  images: OptionalList(Image, { description: 'Pictures.' }),
  last_updated: DateTime('Time of the latest change.'),
});
