import { Type } from 'typebox';
import { Named, OneOf, Text, Url } from '#api/routes/schema.ts';
import { imageCategories } from '#shared/domain/fleet/location.ts';

/** The parts of locations, EVSEs and connectors that both surfaces write alike, within OCPI 2.2.1's bounds (§8.4). */

export const OcpiUrl = Url(255);

/** A CiString(36) that may stand in a path. */
export const OcpiId = Type.String({
  minLength: 1,
  maxLength: 36,
  pattern: '^[!-~]+( [!-~]+)*$',
  description: '1 to 36 printable ASCII characters',
});

export const DisplayText = Named('DisplayText', {
  language: Type.String({ pattern: '^[a-z]{2}$', description: 'two small letters: ISO 639-1' }),
  text: Text(512),
});

export const Image = Named('Image', {
  url: OcpiUrl,
  thumbnail: Type.Optional(OcpiUrl),
  category: OneOf(imageCategories),
  type: Type.String({
    pattern: '^[A-Za-z0-9]{1,4}$',
    description: 'gif, jpeg, png, svg: at most 4 characters',
  }),
  width: Type.Optional(Type.Integer({ minimum: 1, maximum: 99_999, description: 'pixels' })),
  height: Type.Optional(Type.Integer({ minimum: 1, maximum: 99_999, description: 'pixels' })),
});

export const Business = Named('BusinessDetails', {
  name: Text(100),
  website: Type.Optional(OcpiUrl),
  logo: Type.Optional(Image),
});

/** §8.4.13. */
export const GeoLocation = Named('GeoLocation', {
  latitude: Type.String({
    pattern: '^-?([0-8]?[0-9](\\.[0-9]{1,7})?|90(\\.0{1,7})?)$',
    description: 'decimal degrees from -90 to 90 as text',
  }),
  longitude: Type.String({
    pattern: '^-?((1[0-7]|[0-9])?[0-9](\\.[0-9]{1,7})?|180(\\.0{1,7})?)$',
    description: 'decimal degrees from -180 to 180 as text',
  }),
});
