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
import {
  Closed,
  DateTime,
  Decimal,
  Described,
  Flag,
  Formed,
  Integer,
  Named,
  Nullable,
  OneOf,
  Str,
  Text,
  Url,
} from './schema.ts';

const closed = { additionalProperties: false };
const price = (description: string, example: number) =>
  Decimal(`${description} At most 4 decimals.`, example, { minimum: 0, maximum: 1_000_000 });
const vat = Type.Optional(
  Decimal('VAT rate in percent. Omit it when no VAT applies, which differs from a rate of 0.', 21, {
    minimum: 0,
    maximum: 100,
  }),
);

const PriceComponent = Type.Object(
  {
    type: OneOf(
      priceDimensions,
      'Dimension of the price. TIME: time charging. PARKING_TIME: time without charging.',
    ),
    price: price(
      'Price without VAT: per kWh (ENERGY), per hour (TIME, PARKING_TIME) or per session (FLAT).',
      0.4,
    ),
    vat,
    step_size: Integer('Step in Wh or seconds. The billed quantity is rounded up to a multiple of it.', 1, {
      minimum: 0,
      maximum: 1_000_000,
    }),
  },
  { title: 'TariffPriceComponent', ...closed },
);

const TimeOfDay = Formed('a time of day as HH:MM, 24 hours', '^([01][0-9]|2[0-3]):[0-5][0-9]$');
const Day = Formed('a day as YYYY-MM-DD', '^[12][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$');
const bound = (maximum: number, description: string, example: number) =>
  Type.Optional(Decimal(description, example, { minimum: 0, maximum }));
const seconds = (description: string, example: number) =>
  Type.Optional(Integer(description, example, { minimum: 0, maximum: 31_536_000 }));

const Restrictions = Type.Object(
  {
    start_time: Type.Optional(
      Described(TimeOfDay, 'Start of the daily window, in the time zone of the location.', '23:00'),
    ),
    end_time: Type.Optional(
      Described(TimeOfDay, 'End of the daily window, in the time zone of the location.', '07:00'),
    ),
    start_date: Type.Optional(
      Described(Day, 'First day, in the time zone of the location, inclusive.', '2026-01-01'),
    ),
    end_date: Type.Optional(
      Described(Day, 'Last day, in the time zone of the location, exclusive.', '2026-12-31'),
    ),
    min_kwh: bound(1_000_000, 'Minimum energy so far in kWh, inclusive.', 10),
    max_kwh: bound(1_000_000, 'Maximum energy so far in kWh, exclusive.', 50),
    min_current: bound(100_000, 'Minimum current in A, the sum of the phases, inclusive.', 6),
    max_current: bound(100_000, 'Maximum current in A, the sum of the phases, exclusive.', 32),
    min_power: bound(100_000, 'Minimum power in kW, inclusive.', 3.7),
    max_power: bound(100_000, 'Maximum power in kW, exclusive.', 22),
    min_duration: seconds('Minimum duration of the session in seconds, inclusive.', 600),
    max_duration: seconds('Maximum duration of the session in seconds, exclusive.', 14_400),
    day_of_week: Type.Optional(
      Type.Array(OneOf(daysOfWeek), {
        minItems: 1,
        maxItems: 7,
        uniqueItems: true,
        description: 'Days of the week on which the element is active.',
      }),
    ),
    reservation: Type.Optional(
      OneOf(
        ['RESERVATION', 'RESERVATION_EXPIRES'],
        'The element prices a reservation: one that is used or cancelled, and one that expires where no element of ' +
          'RESERVATION_EXPIRES prices the same dimension. Only TIME and FLAT. Its restrictions are on the time of it.',
      ),
    ),
  },
  {
    title: 'TariffRestrictions',
    ...closed,
    description:
      'Conditions under which the element is active, in the time zone of the location. All of them must hold.',
  },
);

const Elements = Type.Array(
  Closed({
    price_components: Type.Array(PriceComponent, {
      minItems: 1,
      maxItems: 4,
      description: 'Prices of the element, one for each dimension.',
    }),
    restrictions: Type.Optional(Restrictions),
  }),
  {
    minItems: 1,
    maxItems: 100,
    description:
      'Elements of the tariff. For each dimension, the first component whose element is active applies.',
  },
);

const Idle = Type.Object(
  {
    price_per_minute: price('Price per minute without VAT, billed by the second.', 0.1),
    grace_minutes: Decimal('Free time at the beginning of each idle period, in minutes.', 10, {
      minimum: 0,
      maximum: 1440,
    }),
    vat,
  },
  {
    title: 'TariffIdleFee',
    ...closed,
    description:
      'Fee for occupying a connector without charging, an extension of OCPI. Excludes PARKING_TIME.',
  },
);

const Limit = Type.Object(
  { excl_vat: price('Limit without VAT.', 1), incl_vat: Type.Optional(price('Limit with VAT.', 1.21)) },
  {
    title: 'TariffPriceLimit',
    ...closed,
    description: 'Limit of the price of a whole session, idle fee included.',
  },
);

const DisplayText = Type.Object(
  {
    language: Formed('two lower-case letters (ISO 639-1)', '^[a-z]{2}$', {
      description: 'Language of the text (ISO 639-1).',
      examples: ['nl'],
    }),
    text: Text(512, 'Text in this language.', '0.40 per kWh and 0.50 per session, without VAT'),
  },
  { title: 'TariffText', ...closed },
);

const EnergyMix = Type.Object(
  {
    is_green_energy: Flag('True when all energy is from renewable sources.'),
    energy_sources: Type.Optional(
      Type.Array(
        Closed({
          source: OneOf(
            ['NUCLEAR', 'GENERAL_FOSSIL', 'COAL', 'GAS', 'GENERAL_GREEN', 'SOLAR', 'WIND', 'WATER'],
            'Source of the energy.',
          ),
          percentage: Decimal('Share in percent.', 100, { minimum: 0, maximum: 100 }),
        }),
        { maxItems: 20, description: 'Shares of the energy sources.' },
      ),
    ),
    environ_impact: Type.Optional(
      Type.Array(
        Closed({
          category: OneOf(['NUCLEAR_WASTE', 'CARBON_DIOXIDE'], 'Kind of environmental impact.'),
          amount: Decimal('Amount in g/kWh.', 25, { minimum: 0 }),
        }),
        { maxItems: 20, description: 'Environmental impacts of the energy.' },
      ),
    ),
    supplier_name: Type.Optional(Text(64, 'Name of the energy supplier.', 'Green Grid')),
    energy_product_name: Type.Optional(Text(64, 'Name of the energy product.', 'Wind from the sea')),
  },
  { title: 'TariffEnergyMix', ...closed },
);

/** Tariff fields of a request, as in OCPI 2.2.1 §11.3.1. */
export const tariffFields = {
  name: Text(100, 'Name of the tariff.', 'Harbour Charging'),
  type: Nullable(
    OneOf(tariffTypes, 'Group of drivers that the tariff is meant for, sent to roaming partners. Null: any.'),
  ),
  elements: Elements,
  idle: Type.Union([Idle, Type.Null()], {
    description: 'Fee for occupying a connector without charging. Null if not set.',
  }),
  min_price: Type.Union([Limit, Type.Null()], {
    description: 'Minimum price of a session, idle fee included. Null if not set.',
  }),
  max_price: Type.Union([Limit, Type.Null()], {
    description: 'Maximum price of a session, idle fee included. Null if not set.',
  }),
  tariff_alt_text: Type.Array(DisplayText, {
    maxItems: 20,
    description: 'Description of the tariff, by language.',
  }),
  tariff_alt_url: Nullable(
    Url(500, 'URL of a description of the tariff. Null if not set.', 'https://harbour.example/prices'),
  ),
  energy_mix: Type.Union([EnergyMix, Type.Null()], {
    description: 'Energy mix, shown to drivers and roaming partners. Null when none is set.',
  }),
  start_date_time: Nullable(DateTime('Time before which the tariff does not apply. Null: no bound.')),
  end_date_time: Nullable(DateTime('Time from which the tariff does not apply. Null: no bound.')),
};

/** Tariff as shown to drivers and as stored with a session. */
export const TariffDocument = Named('TariffDocument', {
  id: Str('Tariff identifier.', '123e4567-e89b-42d3-a456-426614174000', { format: 'uuid' }),
  currency: Str('Currency of the prices (ISO 4217).', 'EUR'),
  version: Integer('Version of the tariff. Each change increments it.', 3),
  ...tariffFields,
});

/** Converts the tariff stored with a session for a response. */
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
