import { Type } from 'typebox';
import { DisplayText } from '#api/routes/ocpi/location-parts.ts';
import { DateTime, Named, OneOf } from '#api/routes/schema.ts';
import { daysOfWeek, priceDimensions, tariffTypes } from '#api/services/money/tariff-terms.ts';
import { StandardEnergyMix } from './location.ts';

const Price = Type.Object({ excl_vat: Type.Number(), incl_vat: Type.Optional(Type.Number()) });
const number = Type.Optional(Type.Number());
const text = Type.Optional(Type.String());

/** Tariff restrictions (OCPI 2.2.1 §11.4.6). */
const Restrictions = Type.Object({
  start_time: text,
  end_time: text,
  start_date: text,
  end_date: text,
  min_kwh: number,
  max_kwh: number,
  min_current: number,
  max_current: number,
  min_power: number,
  max_power: number,
  min_duration: number,
  max_duration: number,
  day_of_week: Type.Optional(Type.Array(OneOf(daysOfWeek))),
  reservation: Type.Optional(OneOf(['RESERVATION', 'RESERVATION_EXPIRES'])),
});

/** Tariff (OCPI 2.2.1 §11.3.1), the same on both surfaces. */
export const StandardTariff = Named('OcpiTariff', {
  country_code: Type.String(),
  party_id: Type.String(),
  id: Type.String(),
  currency: Type.String(),
  type: Type.Optional(OneOf(tariffTypes)),
  tariff_alt_text: Type.Array(DisplayText),
  tariff_alt_url: text,
  min_price: Type.Optional(Price),
  max_price: Type.Optional(Price),
  elements: Type.Array(
    Type.Object({
      price_components: Type.Array(
        Type.Object({
          type: OneOf(priceDimensions),
          price: Type.Number({ description: 'Price without VAT.' }),
          vat: number,
          step_size: Type.Integer(),
        }),
      ),
      restrictions: Type.Optional(Restrictions),
    }),
  ),
  start_date_time: Type.Optional(DateTime()),
  end_date_time: Type.Optional(DateTime()),
  energy_mix: Type.Optional(Type.Unsafe<Record<string, unknown>>(StandardEnergyMix)),
  last_updated: DateTime(),
});
