import { type Static, Type } from 'typebox';
import { DateTime, Named, Nullable, OneOf, Uuid } from '#api/routes/schema.ts';
import { costLineTypes, costNotes, noCostReasons, priceStates } from '#api/services/charging/session-cost.ts';
import {
  daysOfWeek,
  decimalText,
  type ExplainedLine,
  type ExplainedPart,
  type ExplainedPeriod,
  type ExplainedPrice,
  majorText,
  vatTotals,
} from '#api/services/charging/session-price.ts';

const units = ['kWh', 's', 'session'] as const;
const priceUnits = ['kWh', 'h', 'min', 'session'] as const;

/** Units of each kind of line, and the decimals of its quantity. */
const measures: Record<
  ExplainedLine['type'],
  { unit: (typeof units)[number]; per: (typeof priceUnits)[number]; decimals: number }
> = {
  ENERGY: { unit: 'kWh', per: 'kWh', decimals: 6 },
  TIME: { unit: 's', per: 'h', decimals: 3 },
  PARKING_TIME: { unit: 's', per: 'h', decimals: 3 },
  IDLE: { unit: 's', per: 'min', decimals: 0 },
  FLAT: { unit: 'session', per: 'session', decimals: 0 },
  MIN_PRICE: { unit: 'session', per: 'session', decimals: 0 },
  MAX_PRICE: { unit: 'session', per: 'session', decimals: 0 },
  AMENDED: { unit: 'session', per: 'session', decimals: 0 },
};

const Amount = (description: string, example: string) => Type.String({ description, examples: [example] });

const amounts = {
  net: Amount('Amount without tax, in the major unit of the currency.', '5.00'),
  tax: Amount('Tax of the amount.', '1.05'),
  gross: Amount('Amount with tax.', '6.05'),
};

const Quantity = Amount('Quantity in the `unit` of the component.', '12.500000');

const Restrictions = Type.Object(
  {
    start_time: Type.Optional(
      Type.String({ description: 'Time of day (HH:MM) from which.', examples: ['22:00'] }),
    ),
    end_time: Type.Optional(
      Type.String({ description: 'Time of day (HH:MM) until which.', examples: ['06:00'] }),
    ),
    start_date: Type.Optional(Type.String({ description: 'First date.', examples: ['2026-01-01'] })),
    end_date: Type.Optional(
      Type.String({ description: 'Date until which, exclusive.', examples: ['2027-01-01'] }),
    ),
    min_kwh: Type.Optional(Type.Number({ description: 'Energy in kWh from which.', examples: [10] })),
    max_kwh: Type.Optional(Type.Number({ description: 'Energy in kWh below which.', examples: [20] })),
    min_current: Type.Optional(Type.Number({ description: 'Current in A from which.', examples: [16] })),
    max_current: Type.Optional(Type.Number({ description: 'Current in A below which.', examples: [32] })),
    min_power: Type.Optional(Type.Number({ description: 'Power in kW from which.', examples: [11] })),
    max_power: Type.Optional(Type.Number({ description: 'Power in kW below which.', examples: [22] })),
    min_duration: Type.Optional(Type.Number({ description: 'Duration in s from which.', examples: [3600] })),
    max_duration: Type.Optional(Type.Number({ description: 'Duration in s below which.', examples: [7200] })),
    day_of_week: Type.Optional(Type.Array(OneOf(daysOfWeek), { description: 'Days of the week.' })),
  },
  {
    title: 'MatchedRestrictions',
    description:
      'Restrictions under which the element is active (OCPI 2.2.1 §11.4.6); all of them held in the periods of the ' +
      'component. Times are those of the location.',
  },
);

const Period = Named('PricedPeriod', {
  from: DateTime('Start of the period.'),
  to: DateTime('End of the period. Of a flat fee: end of the first part of the session in which it applied.'),
  quantity: Quantity,
  ...amounts,
});

const Rounding = Type.Object(
  { quantity: Quantity, ...amounts },
  { description: 'Part that rounding the total quantity up to the step of the tariff added.' },
);

const Component = Named('PriceComponent', {
  kind: OneOf(
    costLineTypes,
    'Kind of component. TIME: time charging. PARKING_TIME: time without charging. IDLE: minutes beyond the grace ' +
      'period. MIN_PRICE, MAX_PRICE: adjustment to a limit of the tariff. AMENDED: price set by an operator.',
  ),
  quantity: Amount('Billed quantity, exact, after rounding up to the step.', '12.500000'),
  unit: OneOf(units, 'Unit of the quantity: kWh, seconds (`s`) or sessions.'),
  unitPrice: Nullable(
    Amount('Price without tax, as the tariff states it. Null: the component has none.', '0.40'),
  ),
  per: OneOf(priceUnits, 'Unit that the price is for: kWh, hour (`h`), minute (`min`) or session.'),
  stepSize: Nullable(
    Type.Integer({
      description: 'Step in Wh or s to which the quantity is rounded up. Null: the component has none.',
      examples: [1],
    }),
  ),
  taxPercent: Nullable(Amount('Tax rate in percent. Null: no tax applies.', '21')),
  ...amounts,
  element: Nullable(
    Type.Integer({
      description: 'Number of the element of the tariff, from 1. Null: the component is of no element.',
      examples: [1],
    }),
  ),
  restrictions: Nullable(Restrictions),
  periods: Type.Array(Period, {
    description:
      'Periods in which the component applied, in order. They and `rounding` add up to the component. Empty for ' +
      'adjustments, and where `isTraced` is false.',
  }),
  rounding: Nullable(Rounding),
});

/** Price of a session, explained. */
export const SessionPrice = Named('SessionPrice', {
  sessionId: Uuid('Session identifier.'),
  until: DateTime('End of the session, or the time until which a running one is priced.'),
  isFinal: Type.Boolean({
    description: 'False while the session is running and while its price is in review.',
  }),
  priceState: OneOf(priceStates, 'State of the price, as in the session.'),
  unavailable: Nullable(OneOf(noCostReasons, 'Reason that there is no price. Null when there is one.')),
  currency: Type.String({ description: 'Currency of the amounts (ISO 4217).', examples: ['EUR'] }),
  tariff: Nullable(
    Type.Object(
      {
        id: Uuid('Tariff identifier.'),
        name: Type.String({ description: 'Name of the tariff.', examples: ['Standard'] }),
        version: Nullable(
          Type.Integer({
            description: 'Version of the tariff. Null for a session that began before versions were counted.',
            examples: [3],
          }),
        ),
        timeZone: Type.String({
          description: 'Time zone of restrictions on time (IANA).',
          examples: ['Europe/Amsterdam'],
        }),
      },
      { description: 'Tariff as it stood at the start. Null when none was assigned.' },
    ),
  ),
  components: Type.Array(Component, {
    description: 'Components of the price in the order of the tariff. They add up to the totals exactly.',
  }),
  taxes: Type.Array(
    Type.Object({
      taxPercent: Nullable(Amount('Tax rate in percent. Null: no tax applies.', '21')),
      net: amounts.net,
      tax: amounts.tax,
    }),
    { description: 'Sums of the components by tax rate.' },
  ),
  totals: Nullable(
    Type.Object(amounts, { description: 'Totals of the session. Null when there is no price.' }),
  ),
  isTraced: Type.Boolean({
    description:
      'False when components have no periods: the readings that the price counts are no longer stored or cannot ' +
      'be read now, or an operator set the price.',
  }),
  notes: Type.Array(OneOf(costNotes), {
    description: 'Limits of the calculation, as in the cost of the session.',
  }),
});

/** Converts the price of a session. */
export function sessionPriceView({
  session,
  until,
  price,
  unavailable,
}: ExplainedPrice): Static<typeof SessionPrice> {
  const { currency, tariff } = session;
  const money = (net: bigint, tax: bigint) => ({
    net: majorText(net, currency),
    tax: majorText(tax, currency),
    gross: majorText(net + tax, currency),
  });
  return {
    sessionId: session.uuid,
    until: until.toISOString(),
    isFinal: price?.isFinal ?? false,
    priceState: session.priceState,
    unavailable,
    currency,
    tariff: tariff && {
      id: tariff.uuid,
      name: tariff.name,
      version: tariff.version ?? null,
      timeZone: tariff.time_zone ?? 'UTC',
    },
    components: price?.lines.map((line) => componentView(line, money)) ?? [],
    taxes: vatTotals(price?.cost.lines ?? []).map(({ vatPercent, exclVatMinor, vatMinor }) => ({
      taxPercent: vatPercent,
      net: majorText(exclVatMinor, currency),
      tax: majorText(vatMinor, currency),
    })),
    totals: price && money(price.cost.totalExclVatMinor, price.cost.totalVatMinor),
    isTraced: price?.isTraced ?? false,
    notes: price?.cost.notes ?? [],
  };
}

function componentView(
  line: ExplainedLine,
  money: (net: bigint, tax: bigint) => { net: string; tax: string; gross: string },
): Static<typeof Component> {
  const { unit, per, decimals } = measures[line.type];
  const part = ({ volume, exclVatMinor, vatMinor }: ExplainedPart) => ({
    quantity: decimalText(volume, decimals),
    ...money(exclVatMinor, vatMinor),
  });
  const period = (of: ExplainedPeriod) => ({
    from: of.from.toISOString(),
    to: of.to.toISOString(),
    ...part(of),
  });
  return {
    kind: line.type,
    ...part(line),
    unit,
    unitPrice: line.unitPrice,
    per,
    stepSize: line.stepSize,
    taxPercent: line.vatPercent,
    element: line.element?.number ?? null,
    restrictions: line.element?.restrictions ?? null,
    periods: line.periods.map(period),
    rounding: line.rounding && part(line.rounding),
  };
}
