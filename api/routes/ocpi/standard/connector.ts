import { OptionalList } from '#api/routes/ocpi/optional-list.ts';
import { Type } from 'typebox';
import { DateTime, Integer, Named, OneOf, Str } from '#api/routes/schema.ts';
import { connectorFormats, connectorTypes, powerTypes } from '#shared/domain/fleet/ocpi-evse.ts';

/** Connector (OCPI 2.2.1 §8.3.3). */
export const StandardConnector = Named('Ocpi221Connector', {
  id: Str('Identifier.'),
  standard: OneOf(connectorTypes, 'Connector standard (OCPI).'),
  format: OneOf(connectorFormats, 'Connector format (OCPI).'),
  power_type: OneOf(powerTypes, 'Power type (OCPI).'),
  max_voltage: Integer('Maximum voltage in V.'),
  max_amperage: Integer('Maximum current in A.'),
  max_electric_power: Type.Optional(Integer('W')),
  tariff_ids: OptionalList(Type.String(), { description: 'Identifiers of the tariffs that apply now.' }),
  terms_and_conditions: Type.Optional(Str('URL of the terms and conditions.')),
  last_updated: DateTime('Time of the latest change.'),
});
