import type { Price } from '#api/services/roaming/wire/numbers.ts';
import type { Cdr } from '#api/services/roaming/wire/v221/cdr.ts';
import { type TaxedPrice, taxedPrice } from './price.ts';
import { withTaxes } from './tariff.ts';

/** Converts a stored CDR. Its amounts stay: the VAT of each is the difference of the two that are stored. */
export function cdrObject(document: Cdr) {
  const { tariffs, total_cost: total, cdr_location: stored, ...rest } = document;
  const { connector_standard_230: later, ...location } = stored;
  const { total_fixed_cost: fixed, total_energy_cost: energy, ...more } = rest;
  const { total_time_cost: time, total_parking_cost: parking, ...others } = more;
  const { total_reservation_cost: reservation, ...same } = others;
  return {
    ...same,
    cdr_location: { ...location, connector_standard: later ?? location.connector_standard },
    ...(tariffs && { tariffs: tariffs.map(withTaxes) }),
    total_cost: taxedPrice(total),
    ...part('total_fixed_cost', fixed),
    ...part('total_energy_cost', energy),
    ...part('total_time_cost', time),
    ...part('total_parking_cost', parking),
    ...part('total_reservation_cost', reservation),
  };
}

type Part =
  | 'total_fixed_cost'
  | 'total_energy_cost'
  | 'total_time_cost'
  | 'total_parking_cost'
  | 'total_reservation_cost';

function part(name: Part, price: Price | undefined): Partial<Record<Part, TaxedPrice>> {
  return price === undefined ? {} : { [name]: taxedPrice(price) };
}
