import { Type } from 'typebox';
import { DisplayText, GeoLocation, Image } from '#api/routes/ocpi/location-parts.ts';
import { DateTime, Named, OneOf } from '#api/routes/schema.ts';
import { capabilities, evseStatuses, parkingRestrictions } from '#shared/domain/fleet/ocpi-evse.ts';
import { StandardConnector } from './connector.ts';

/** EVSE (OCPI 2.2.1 §8.3.2). */
export const StandardEvse = Named('Ocpi221Evse', {
  uid: Type.String(),
  evse_id: Type.Optional(Type.String()),
  status: OneOf(evseStatuses),
  status_schedule: Type.Array(
    Type.Object({
      period_begin: DateTime(),
      period_end: Type.Optional(DateTime()),
      status: OneOf(evseStatuses),
    }),
  ),
  capabilities: Type.Array(OneOf(capabilities)),
  connectors: Type.Array(StandardConnector, { minItems: 1 }),
  floor_level: Type.Optional(Type.String()),
  coordinates: Type.Optional(GeoLocation),
  physical_reference: Type.Optional(Type.String()),
  directions: Type.Array(DisplayText),
  parking_restrictions: Type.Array(OneOf(parkingRestrictions)),
  images: Type.Array(Image),
  last_updated: DateTime(),
});
