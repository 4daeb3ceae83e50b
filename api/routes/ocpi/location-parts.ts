import { Type } from 'typebox';
import { Named, OneOf, Text, Url, Formed } from '#api/routes/schema.ts';
import { imageCategories } from '#shared/domain/fleet/location.ts';

/** Parts of locations, EVSEs and connectors that both surfaces write, within the limits of OCPI 2.2.1 §8.4. */

export const OcpiUrl = Url(255, 'URL.');

/** CiString(36) that can be part of a path. */
export const OcpiId = Formed('1 to 36 printable ASCII characters', '^[!-~]+( [!-~]+)*$', {
  minLength: 1,
  maxLength: 36,
  description: 'Identifier.',
});

export const DisplayText = Named('DisplayText', {
  language: Formed('two lower-case letters (ISO 639-1)', '^[a-z]{2}$', {
    description: 'Language (ISO 639-1).',
  }),
  text: Text(512, 'Text in this language.'),
});

export const Image = Named('Image', {
  url: OcpiUrl,
  thumbnail: Type.Optional(OcpiUrl),
  category: OneOf(imageCategories, 'Category (OCPI).'),
  type: Formed(
    'a file type of at most 4 letters or digits, such as gif, jpeg, png or svg',
    '^[A-Za-z0-9]{1,4}$',
    { description: 'Type (OCPI).' },
  ),
  width: Type.Optional(Type.Integer({ minimum: 1, maximum: 99_999, description: 'Width in pixels.' })),
  height: Type.Optional(Type.Integer({ minimum: 1, maximum: 99_999, description: 'Height in pixels.' })),
});

export const Business = Named('BusinessDetails', {
  name: Text(100, 'Name.'),
  website: Type.Optional(OcpiUrl),
  logo: Type.Optional(Image),
});

/** Geographic position (OCPI 2.2.1 §8.4.13). */
export const GeoLocation = Named('GeoLocation', {
  latitude: Formed(
    'decimal degrees from -90 to 90 as text',
    '^-?([0-8]?[0-9](\\.[0-9]{1,7})?|90(\\.0{1,7})?)$',
    { description: 'Degrees north (WGS 84).' },
  ),
  longitude: Formed(
    'decimal degrees from -180 to 180 as text',
    '^-?((1[0-7]|[0-9])?[0-9](\\.[0-9]{1,7})?|180(\\.0{1,7})?)$',
    { description: 'Degrees east (WGS 84).' },
  ),
});
