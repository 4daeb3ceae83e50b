import { Type } from 'typebox';
import { Named, OneOf, Text, Url } from '#api/routes/schema.ts';
import { imageCategories } from '#shared/domain/fleet/location.ts';

/** Parts of locations, EVSEs and connectors that both surfaces write, within the limits of OCPI 2.2.1 §8.4. */

export const OcpiUrl = Url(255);

/** CiString(36) that can be part of a path. */
export const OcpiId = Type.String({
  minLength: 1,
  maxLength: 36,
  pattern: '^[!-~]+( [!-~]+)*$',
  description: '1 to 36 printable ASCII characters',
});

export const DisplayText = Named('DisplayText', {
  language: Type.String({ pattern: '^[a-z]{2}$', description: 'two lower-case letters (ISO 639-1)' }),
  text: Text(512),
});

export const Image = Named('Image', {
  url: OcpiUrl,
  thumbnail: Type.Optional(OcpiUrl),
  category: OneOf(imageCategories),
  type: Type.String({
    pattern: '^[A-Za-z0-9]{1,4}$',
    description: 'a file type of at most 4 letters or digits, such as gif, jpeg, png or svg',
  }),
  width: Type.Optional(Type.Integer({ minimum: 1, maximum: 99_999, description: 'Width in pixels.' })),
  height: Type.Optional(Type.Integer({ minimum: 1, maximum: 99_999, description: 'Height in pixels.' })),
});

export const Business = Named('BusinessDetails', {
  name: Text(100),
  website: Type.Optional(OcpiUrl),
  logo: Type.Optional(Image),
});

/** Geographic position (OCPI 2.2.1 §8.4.13). */
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
