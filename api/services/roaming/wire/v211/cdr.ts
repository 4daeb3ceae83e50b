import type { Cdr } from '#api/services/roaming/wire/v221/cdr.ts';
import { chargedLocation } from './charged-location.ts';
import { chargingPeriods } from './charging-periods.ts';
import { authMethod211 } from './session.ts';
import { withoutTaxes } from './tariff.ts';

/**
 * Converts a stored CDR. It begins with its first period, as 2.1.1 has no reservations. Its amounts stay; those with VAT and of each dimension have no fields. A credit is a CDR with a negative
 * total whose remark names the credited one.
 */
export function cdrObject(document: Cdr) {
  const { end_date_time: end, cdr_token: token, cdr_location: location, meter_id: meter } = document;
  const { tariffs = [], total_cost: cost, total_parking_time: parking, remark } = document;
  const periods = chargingPeriods(document.charging_periods);
  const credited = document.credit_reference_id;
  const text = credited === undefined ? remark : `Credit of CDR ${credited}`;
  return {
    // At most 36 characters: the id of a credit is a UUID with an ending.
    id: document.id.length <= 36 ? document.id : document.id.replaceAll(/-(?!C$)/g, ''),
    start_date_time: periods[0]?.start_date_time ?? document.start_date_time,
    stop_date_time: end,
    auth_id: token.contract_id,
    auth_method: authMethod211(document.auth_method),
    location: chargedLocation(location, {
      status: 'UNKNOWN',
      maxVoltage: null,
      maxAmperage: null,
      lastUpdated: end,
    }),
    ...(meter !== undefined && { meter_id: meter }),
    currency: document.currency,
    tariffs: tariffs.map(withoutTaxes).filter((tariff) => tariff !== null),
    charging_periods: periods,
    total_cost: cost.excl_vat,
    total_energy: document.total_energy,
    total_time: document.total_time,
    total_parking_time: parking,
    ...(text !== undefined && { remark: text }),
    last_updated: document.last_updated,
  };
}
