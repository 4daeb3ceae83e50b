import { type Static, Type } from 'typebox';
import {
  daysOfWeek,
  priceDimensions,
  shownElements,
  shownIdle,
  shownLimit,
  type Tariff,
  tariffTypes,
} from '#api/services/money/tariff-terms.ts';
import { DateTime, Named, Nullable, OneOf, Text, Url } from './schema.ts';

const closed = { additionalProperties: false };
const price = (description: string) =>
  Type.Number({ minimum: 0, maximum: 1_000_000, description: `${description}, at most 4 decimals` });
const vat = Type.Optional(
  Type.Number({
    minimum: 0,
    maximum: 100,
    description: 'Percent; left out: no VAT applies, other than 0',
    examples: [21],
  }),
);

const PriceComponent = Type.Object(
  {
    type: OneOf(priceDimensions, 'TIME: charging; PARKING_TIME: not charging'),
    price: price('Per kWh, per hour, or once, without VAT'),
    vat,
    step_size: Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      description: 'What is billed is rounded up to a multiple of this: Wh or seconds',
    }),
  },
  { title: 'TariffPriceComponent', ...closed },
);

const TimeOfDay = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description: 'HH:MM, 24 hours' });
const Day = Type.String({
  pattern: '^[12][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$',
  description: 'a day as YYYY-MM-DD',
});
const atLeast = (maximum: number, unit: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum, description: unit }));
const seconds = Type.Optional(
  Type.Integer({ minimum: 0, maximum: 31_536_000, description: 'Seconds since the start of the session' }),
);

const Restrictions = Type.Object(
  {
    start_time: Type.Optional(TimeOfDay),
    end_time: Type.Optional(TimeOfDay),
    start_date: Type.Optional(Day),
    end_date: Type.Optional(Day),
    min_kwh: atLeast(1_000_000, 'Used so far; inclusive'),
    max_kwh: atLeast(1_000_000, 'Used so far; exclusive'),
    min_current: atLeast(100_000, 'A, summed over the phases; inclusive'),
    max_current: atLeast(100_000, 'A, summed over the phases; exclusive'),
    min_power: atLeast(100_000, 'kW; inclusive'),
    max_power: atLeast(100_000, 'kW; exclusive'),
    min_duration: seconds,
    max_duration: seconds,
    day_of_week: Type.Optional(
      Type.Array(OneOf(daysOfWeek), { minItems: 1, maxItems: 7, uniqueItems: true }),
    ),
    reservation: Type.Optional(
      OneOf(
        ['RESERVATION', 'RESERVATION_EXPIRES'],
        'The element prices a reservation: told to partners, and left out of the price of a session',
      ),
    ),
  },
  {
    title: 'TariffRestrictions',
    ...closed,
    description: 'The element is active while all of them hold, by the clock at the place',
  },
);

const Elements = Type.Array(
  Type.Object(
    {
      price_components: Type.Array(PriceComponent, { minItems: 1, maxItems: 4 }),
      restrictions: Type.Optional(Restrictions),
    },
    closed,
  ),
  {
    minItems: 1,
    maxItems: 100,
    description: 'For each dimension the first component in this order applies whose element is active',
  },
);

const Idle = Type.Object(
  {
    price_per_minute: price('Without VAT; billed by the second'),
    grace_minutes: Type.Number({ minimum: 0, maximum: 1440, description: 'Of each idle period' }),
    vat,
  },
  {
    title: 'TariffIdleFee',
    ...closed,
    description:
      'Beside OCPI: the fee for occupying a connector without charging; not together with PARKING_TIME',
  },
);

const Limit = Type.Object(
  { excl_vat: price('Without VAT'), incl_vat: Type.Optional(price('With VAT')) },
  { title: 'TariffPriceLimit', ...closed, description: 'Of a whole session, idle fee included' },
);

const DisplayText = Type.Object(
  {
    language: Type.String({ pattern: '^[a-z]{2}$', description: 'two small letters: ISO 639-1' }),
    text: Text(512),
  },
  { title: 'TariffText', ...closed },
);

const EnergyMix = Type.Object(
  {
    is_green_energy: Type.Boolean(),
    energy_sources: Type.Optional(
      Type.Array(
        Type.Object(
          {
            source: OneOf([
              'NUCLEAR',
              'GENERAL_FOSSIL',
              'COAL',
              'GAS',
              'GENERAL_GREEN',
              'SOLAR',
              'WIND',
              'WATER',
            ]),
            percentage: Type.Number({ minimum: 0, maximum: 100 }),
          },
          closed,
        ),
        { maxItems: 20 },
      ),
    ),
    environ_impact: Type.Optional(
      Type.Array(
        Type.Object(
          { category: OneOf(['NUCLEAR_WASTE', 'CARBON_DIOXIDE']), amount: Type.Number({ minimum: 0 }) },
          closed,
        ),
        { maxItems: 20 },
      ),
    ),
    supplier_name: Type.Optional(Text(64)),
    energy_product_name: Type.Optional(Text(64)),
  },
  { title: 'TariffEnergyMix', ...closed },
);

/** What an operator tells of a tariff, in OCPI 2.2.1's words (§11.3.1). */
export const tariffFields = {
  name: Text(100),
  type: Nullable(OneOf(tariffTypes, 'Whom it is meant for: told to partners')),
  elements: Elements,
  idle: Type.Union([Idle, Type.Null()]),
  min_price: Type.Union([Limit, Type.Null()]),
  max_price: Type.Union([Limit, Type.Null()]),
  tariff_alt_text: Type.Array(DisplayText, { maxItems: 20 }),
  tariff_alt_url: Nullable(Url()),
  energy_mix: Type.Union([EnergyMix, Type.Null()]),
  start_date_time: Nullable(DateTime('Before that it applies nowhere')),
  end_date_time: Nullable(DateTime('From then on it applies nowhere')),
};

/** A tariff as a driver sees it, or as a session keeps it. */
export const TariffDocument = Named('TariffDocument', {
  id: Type.String({ format: 'uuid' }),
  currency: Type.String({ description: 'ISO 4217' }),
  version: Type.Integer({ description: 'Counts its changes' }),
  ...tariffFields,
});

/** A tariff as it is stored with a session, shown. */
export function tariffDocumentView(tariff: Tariff): Static<typeof TariffDocument> {
  return {
    id: tariff.uuid,
    currency: tariff.currency,
    version: tariff.version ?? 1,
    name: tariff.name,
    type: tariff.type ?? null,
    elements: shownElements(tariff.elements),
    idle: tariff.idle === undefined ? null : shownIdle(tariff.idle),
    min_price: tariff.min_price === undefined ? null : shownLimit(tariff.min_price),
    max_price: tariff.max_price === undefined ? null : shownLimit(tariff.max_price),
    tariff_alt_text: tariff.tariff_alt_text ?? [],
    tariff_alt_url: tariff.tariff_alt_url ?? null,
    energy_mix: (tariff.energy_mix as Static<typeof EnergyMix> | undefined) ?? null,
    start_date_time: tariff.start_date_time ?? null,
    end_date_time: tariff.end_date_time ?? null,
  };
}
