import type { PriceComponent, PriceLimit, Tariff } from '#shared/pricing/tariff.ts';

/** Party of a tariff, and the time of its last change. */
interface TariffOwner {
  countryCode: string;
  partyId: string;
  lastUpdated: Date;
}

/**
 * A tariff as a session keeps it, as OCPI's Tariff (2.2.1 §11.3.1): prices are numbers. An idle fee, which OCPI has none
 * of, is one of PARKING_TIME; its grace is in no field.
 */
export function sealedTariff(tariff: Tariff, { countryCode, partyId, lastUpdated }: TariffOwner) {
  const { idle, min_price: least, max_price: most } = tariff;
  return {
    country_code: countryCode,
    party_id: partyId,
    id: tariff.uuid,
    currency: tariff.currency,
    ...(tariff.type !== undefined && { type: tariff.type }),
    ...(tariff.tariff_alt_text !== undefined && { tariff_alt_text: tariff.tariff_alt_text }),
    ...(tariff.tariff_alt_url !== undefined && { tariff_alt_url: tariff.tariff_alt_url }),
    ...(least !== undefined && { min_price: limit(least) }),
    ...(most !== undefined && { max_price: limit(most) }),
    elements: [
      ...tariff.elements.map(({ price_components: components, restrictions }) => ({
        price_components: components.map(component),
        ...(restrictions !== undefined && { restrictions }),
      })),
      ...(idle === undefined ? [] : [{ price_components: [component(perHour(idle))] }]),
    ],
    ...(tariff.start_date_time !== undefined && { start_date_time: tariff.start_date_time }),
    ...(tariff.end_date_time !== undefined && { end_date_time: tariff.end_date_time }),
    ...(tariff.energy_mix !== undefined && { energy_mix: tariff.energy_mix }),
    last_updated: lastUpdated.toISOString(),
  };
}

function perHour({ price_per_minute: price, vat }: NonNullable<Tariff['idle']>) {
  const hourly = (Number(price) * 60).toFixed(4);
  return { type: 'PARKING_TIME', price: hourly, step_size: 1, ...(vat !== undefined && { vat }) } as const;
}

function component(from: { type: PriceComponent['type']; price: string; vat?: string; step_size: number }) {
  const { type, price, vat, step_size: step } = from;
  return { type, price: Number(price), ...(vat !== undefined && { vat: Number(vat) }), step_size: step };
}

function limit({ excl_vat: exclVat, incl_vat: inclVat }: PriceLimit) {
  return { excl_vat: Number(exclVat), ...(inclVat !== undefined && { incl_vat: Number(inclVat) }) };
}
