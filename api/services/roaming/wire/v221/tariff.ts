import type { OcpiTariff } from '#api/services/roaming/tariffs.service.ts';
import { omitNulls } from '#api/services/roaming/wire/omit-nulls.ts';

/** A tariff in the standard's form. */
export function tariffObject(tariff: OcpiTariff) {
  return {
    country_code: tariff.countryCode,
    party_id: tariff.partyId,
    id: tariff.uuid,
    currency: tariff.currency,
    tariff_alt_text: tariff.altText,
    elements: tariff.elements,
    ...omitNulls({
      type: tariff.type,
      tariff_alt_url: tariff.altUrl,
      min_price: tariff.minPrice,
      max_price: tariff.maxPrice,
      start_date_time: tariff.startsAt?.toISOString(),
      end_date_time: tariff.endsAt?.toISOString(),
      energy_mix: tariff.energyMix,
    }),
    last_updated: tariff.lastUpdated.toISOString(),
  };
}
