import { type Static, Type } from 'typebox';
import { OcpiId, OcpiUrl } from '#api/routes/ocpi/location-parts.ts';
import { OneOf } from '#api/routes/schema.ts';
import type { SentConnector } from '#api/services/roaming/location-writes.ts';
import type { OcpiConnector } from '#api/services/roaming/locations.ts';
import { OcpiDateTime, statedTime } from '#api/services/roaming/wire/date-time.ts';
import { omitNulls } from '#api/services/roaming/wire/omit-nulls.ts';
import { connectorFormats, connectorTypes, powerTypes } from '#shared/domain/fleet/ocpi-evse.ts';

const fields = {
  id: OcpiId,
  format: OneOf(connectorFormats),
  power_type: OneOf(powerTypes),
  terms_and_conditions: OcpiUrl,
  max_voltage: Type.Integer({ minimum: 1, maximum: 10_000, description: 'V' }),
  max_amperage: Type.Integer({ minimum: 1, maximum: 10_000, description: 'A' }),
  max_electric_power: Type.Integer({ minimum: 1, maximum: 10_000_000, description: 'W' }),
  last_updated: OcpiDateTime(),
};

export const Connector = Type.Partial(
  Type.Object({
    ...fields,
    standard: Type.String({ description: "OCPI's word for it where it has one, else the operator's" }),
    format: Type.String(),
    power_type: Type.String(),
    status: Type.String(),
    tariff_ids: Type.Array(Type.String(), { description: 'Of what applies now' }),
  }),
  { title: 'OcpiConnector' },
);

/** A connector as the documented surface tells it. */
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

/** A connector as partners send it; what the charger or the operator alone can say (status, tariffs) is let be. */
export const ConnectorBody = Type.Partial(Type.Object({ ...fields, standard: OneOf(connectorTypes) }));

/** What a partner sent of a connector. */
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
