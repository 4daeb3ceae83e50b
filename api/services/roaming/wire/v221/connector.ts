import type { OcpiConnector } from '#api/services/roaming/locations.service.ts';
import { connectorFormats, powerTypes } from '#shared/domain/fleet/ocpi-evse.ts';
import { omitNulls } from '#api/services/roaming/wire/omit-nulls.ts';

/** Converts a connector to the standard's form. Null: a field that the standard requires is missing. */
export function connectorObject(connector: OcpiConnector) {
  return connectorOf(connector, connector.type);
}

/** Converts a connector with a connector type of a version. */
export function connectorOf<Type extends string>(connector: OcpiConnector, type: Type | null) {
  const { maxVoltage, maxAmperage } = connector;
  const format = connectorFormats.find((word) => word === connector.format);
  const powerType = powerTypes.find((word) => word === connector.powerType);
  if (type === null || format === undefined || powerType === undefined) return null;
  if (maxVoltage === null || maxAmperage === null) return null;
  return {
    id: connector.ocpiId,
    standard: type,
    format,
    power_type: powerType,
    max_voltage: maxVoltage,
    max_amperage: maxAmperage,
    ...omitNulls({
      max_electric_power: connector.maxPowerW,
      terms_and_conditions: connector.termsAndConditions,
    }),
    tariff_ids: connector.tariffIds,
    last_updated: connector.lastUpdated.toISOString(),
  };
}
