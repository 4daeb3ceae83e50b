import { Type } from 'typebox';
import { Named } from '#api/routes/schema.ts';
import { StandardTariff, TariffRestrictions } from '#api/routes/ocpi/standard/tariff.ts';
import { EnergyMix } from './location.ts';

const { id, currency, tariff_alt_text, tariff_alt_url, last_updated, elements } = StandardTariff.properties;
const {
  min_current: _min,
  max_current: _max,
  reservation: _reservation,
  ...restrictions
} = TariffRestrictions.properties;
const { type, price, step_size } = elements.items.properties.price_components.items.properties;

/** Tariff (OCPI 2.1.1 mod_tariffs §3.1). */
export const Tariff = Named('Ocpi211Tariff', {
  id,
  currency,
  tariff_alt_text: Type.Optional(tariff_alt_text),
  tariff_alt_url,
  elements: Type.Array(
    Type.Object({
      price_components: Type.Array(Type.Object({ type, price, step_size }), {
        description: 'Prices of the element, one for each dimension.',
      }),
      restrictions: Type.Optional(Type.Object(restrictions)),
    }),
    { description: 'Elements of the tariff.' },
  ),
  energy_mix: Type.Optional(Type.Unsafe<object>(EnergyMix)),
  last_updated,
});
