import { OptionalList } from '#api/routes/ocpi/optional-list.ts';
import { Type } from 'typebox';
import { DisplayText } from '#api/routes/ocpi/location-parts.ts';
import { DateTime, Decimal, Integer, Named, OneOf, Str } from '#api/routes/schema.ts';
import { daysOfWeek, priceDimensions, tariffTypes } from '#api/services/money/tariff-terms.ts';
import { StandardEnergyMix } from './location.ts';

const Price = Type.Object({
  excl_vat: Decimal('Amount without VAT.'),
  incl_vat: Type.Optional(Decimal('Amount with VAT.')),
});
const number = Type.Optional(Type.Number());
const text = Type.Optional(Type.String());

/** Tariff restrictions (OCPI 2.2.1 §11.4.6). */
export const TariffRestrictions = Type.Object({
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
  day_of_week: Type.Optional(
    Type.Array(OneOf(daysOfWeek), { description: 'Days of the week on which the element is active.' }),
  ),
  reservation: Type.Optional(
    OneOf(['RESERVATION', 'RESERVATION_EXPIRES'], 'The element prices a reservation.'),
  ),
});

/** Tariff (OCPI 2.2.1 §11.3.1), the same on both surfaces. */
export const StandardTariff = Named('OcpiTariff', {
  country_code: Str('Country of the party (ISO 3166-1 alpha-2).'),
  party_id: Str('OCPI party identifier.'),
  id: Str('Identifier.'),
  currency: Str('Currency (ISO 4217).'),
  type: Type.Optional(OneOf(tariffTypes, 'Type (OCPI).')),
  tariff_alt_text: OptionalList(DisplayText, { description: 'Description of the tariff, by language.' }),
  tariff_alt_url: text,
  min_price: Type.Optional(Price),
  max_price: Type.Optional(Price),
  elements: Type.Array(
    Type.Object({
      price_components: Type.Array(
        Type.Object({
          type: OneOf(priceDimensions, 'Type (OCPI).'),
          price: Decimal('Price without VAT.'),
          vat: number,
          step_size: Integer('Step in Wh or seconds. The billed quantity is rounded up to a multiple of it.'),
        }),
        { description: 'Prices of the element, one for each dimension.' },
      ),
      restrictions: Type.Optional(TariffRestrictions),
    }),
    { description: 'Elements of the tariff.' },
  ),
  start_date_time: Type.Optional(DateTime('Start.')),
  end_date_time: Type.Optional(DateTime('End of the validity.')),
  energy_mix: Type.Optional(Type.Unsafe<Record<string, unknown>>(StandardEnergyMix)),
  last_updated: DateTime('Time of the latest change.'),
});
