import { Type } from 'typebox';
import { Closed, Formed, Integer, OneOf, Url } from '#api/routes/schema.ts';
import { connectorCapabilities } from '#shared/domain/fleet/ocpi-evse.ts';
import { imageCategories } from '#shared/domain/fleet/location.ts';

/** Object that rejects unknown fields. */
export function Part<T extends Parameters<typeof Type.Object>[0]>(properties: T) {
  return Closed(properties);
}

/** Makes such an object nullable. */
export function OrNull<T extends Parameters<typeof Type.Object>[0]>(
  part: ReturnType<typeof Part<T>>,
  description: string,
) {
  return Type.Union([part, Type.Null()], { description });
}

/** URL with the maximum length of OCPI. */
export const OcpiUrl = Url(255, 'URL.', 'https://harbour.example');

/** Picture. */
export const Image = Part({
  url: OcpiUrl,
  thumbnail: Type.Optional(OcpiUrl),
  category: OneOf(imageCategories, 'OCPI category.'),
  type: Formed(
    'a file type of at most 4 letters or digits, such as gif, jpeg, png or svg',
    '^[A-Za-z0-9]{1,4}$',
    {
      examples: ['jpeg'],
      description: 'Kind.',
    },
  ),
  width: Type.Optional(Integer('Width in pixels.', 1200, { minimum: 1, maximum: 99_999 })),
  height: Type.Optional(Integer('Height in pixels.', 800, { minimum: 1, maximum: 99_999 })),
});

/** Pictures of a location, an EVSE or a parking place. */
export const Images = Type.Array(Image, { maxItems: 50, description: 'Pictures.' });

/** Functions of a connector (OCPI 2.3.0). */
export const ConnectorCapabilities = Type.Array(OneOf(connectorCapabilities), {
  maxItems: connectorCapabilities.length,
  uniqueItems: true,
  description:
    'Functions that drivers can use at the connector. Partners of OCPI 2.3.0 receive them. ISO_15118_2_PLUG_AND_CHARGE and ' +
    'ISO_15118_20_PLUG_AND_CHARGE: authorization with a contract certificate.',
});
