import { type Static, Type } from 'typebox';
import { OcpiId, OcpiUrl } from '#api/routes/ocpi/location-parts.ts';
import { Nullable, OneOf, Str } from '#api/routes/schema.ts';
import type { SentConnector } from '#api/services/roaming/location-writes.service.ts';
import type { OcpiConnector } from '#api/services/roaming/locations.service.ts';
import { OcpiDateTime, statedTime } from '#api/services/roaming/wire/date-time.ts';
import { omitNulls } from '#api/services/roaming/wire/omit-nulls.ts';
import { connectorFormats, connectorTypes, powerTypes } from '#shared/domain/fleet/ocpi-evse.ts';

const fields = {
  id: OcpiId,
  format: OneOf(connectorFormats, 'Connector format (OCPI).'),
  power_type: OneOf(powerTypes, 'Power type (OCPI).'),
  terms_and_conditions: OcpiUrl,
  max_voltage: Type.Integer({ minimum: 1, maximum: 10_000, description: 'Maximum voltage in V.' }),
  max_amperage: Type.Integer({ minimum: 1, maximum: 10_000, description: 'Maximum current in A.' }),
  max_electric_power: Type.Integer({ minimum: 1, maximum: 10_000_000, description: 'W' }),
  last_updated: OcpiDateTime(),
};

export const Connector = Type.Partial(
  Type.Object({
    ...fields,
    standard: Str("Connector standard of OCPI, otherwise the operator's text."),
    format: Str('Connector format (OCPI).'),
    power_type: Str('Power type (OCPI).'),
    status: Str('Status (OCPI).'),
    tariff_ids: Type.Array(Type.String(), { description: 'Identifiers of the tariffs that apply now.' }),
  }),
  { title: 'OcpiConnector' },
);

/** Converts a connector for the documented surface. */
export function connectorView(connector: OcpiConnector): Static<typeof Connector> {
  return omitNulls({
    id: connector.ocpiId,
    standard: connector.type ?? connector.standard,
    format: connector.format,
    power_type: connector.powerType,
    status: connector.status,
    terms_and_conditions: connector.termsAndConditions,
    max_voltage: connector.maxVoltage,
    max_amperage: connector.maxAmperage,
    max_electric_power: connector.maxPowerW,
    tariff_ids: connector.tariffIds,
    last_updated: connector.lastUpdated.toISOString(),
  });
}

/**
 * Connector in a partner's request. Fields that only the charger or the operator can set (status, tariffs) are
 * ignored.
 */
export const ConnectorBody = Type.Partial(
  Type.Object({
    ...fields,
    standard: OneOf(connectorTypes, 'Connector standard (OCPI).'),
    terms_and_conditions: Nullable(fields.terms_and_conditions),
    max_electric_power: Nullable(fields.max_electric_power),
  }),
);

/** Converts a partner's connector. */
export function sentConnector(body: Static<typeof ConnectorBody>): SentConnector {
  return {
    id: body.id,
    standard: body.standard,
    format: body.format,
    powerType: body.power_type,
    maxVoltage: body.max_voltage,
    maxAmperage: body.max_amperage,
    maxPowerW: body.max_electric_power,
    termsAndConditions: body.terms_and_conditions,
    lastUpdated: body.last_updated === undefined ? undefined : statedTime('last_updated', body.last_updated),
  };
}
