import { Type } from 'typebox';
import { Decimal, Named, OneOf } from '#api/routes/schema.ts';
import { StandardTariff } from '#api/routes/ocpi/standard/tariff.ts';
import { taxIncluded } from '#api/services/roaming/wire/v230/tariff.ts';

/** Lowest or highest price of a session (OCPI 2.3.0, PriceLimit). */
const PriceLimit = Named('Ocpi230PriceLimit', {
  before_taxes: Decimal('Amount without taxes.'),
  after_taxes: Type.Optional(Decimal('Amount with taxes.')),
});

/** Tariff (OCPI 2.3.0). */
export const Tariff = Named('Ocpi230Tariff', {
  ...StandardTariff.properties,
  min_price: Type.Optional(PriceLimit),
  max_price: Type.Optional(PriceLimit),
  tax_included: OneOf(
    taxIncluded,
    'YES: the prices contain taxes. NO: taxes are added to them. N/A: no taxes apply.',
  ),
});
