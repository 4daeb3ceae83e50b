import type { CdrLocation } from '#api/services/roaming/wire/v221/cdr.ts';
import { type ConnectorType211, connectorType211, powerType211 } from './enumerations.ts';
import { unknown } from './location.ts';
import { connectorFormats, type EvseStatus, powerTypes } from '#shared/domain/fleet/ocpi-evse.ts';

/** Facts of a charged connector that a CDR location of 2.2.1 does not have. */
interface ChargedConnector {
  status: EvseStatus;
  /** Null: not known. */
  maxVoltage: number | null;
  maxAmperage: number | null;
  lastUpdated: string;
}

/** Returns the location of a session or a CDR, with the EVSE and the connector that were used. */
export function chargedLocation(
  location: CdrLocation,
  { status, maxVoltage, maxAmperage, lastUpdated: last_updated }: ChargedConnector,
) {
  const { id, name, address, city, postal_code: postalCode, country, coordinates } = location;
  const powerType = powerTypes.find((type) => type === location.connector_power_type) ?? 'AC_3_PHASE';
  const connector = {
    id: location.connector_id,
    standard: connectorType211(location.connector_standard) ?? usualType(powerType),
    format: connectorFormats.find((format) => format === location.connector_format) ?? 'SOCKET',
    power_type: powerType211(powerType),
    // The standard requires both. 0: not known.
    voltage: maxVoltage ?? 0,
    amperage: maxAmperage ?? 0,
    last_updated,
  };
  const evse = {
    uid: location.evse_uid,
    evse_id: location.evse_id,
    status,
    connectors: [connector],
    last_updated,
  };
  return {
    id,
    type: 'UNKNOWN' as const,
    ...(name !== undefined && { name }),
    address,
    city,
    postal_code: postalCode ?? unknown,
    country,
    coordinates,
    evses: [evse],
    last_updated,
  };
}

/** Returns the usual connector type where 2.1.1 does not have that of the connector. */
function usualType(powerType: (typeof powerTypes)[number]): ConnectorType211 {
  return powerType === 'DC' ? 'IEC_62196_T2_COMBO' : 'IEC_62196_T2';
}
