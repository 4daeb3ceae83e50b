import { type Static, Type } from 'typebox';
import { costLineTypes } from '#api/services/charging/session-cost.ts';
import {
  daysOfWeek,
  decimalText,
  type ExplainedLine,
  type ExplainedPart,
  type ExplainedPeriod,
  majorText,
  type VatLine,
  vatTotals,
} from '#api/services/charging/session-price.service.ts';
import { DateTime, Decimal, Integer, Named, Nullable, OneOf, Str } from './schema.ts';

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
  RESERVATION_TIME: { unit: 's', per: 'h', decimals: 3 },
  RESERVATION_FLAT: { unit: 'session', per: 'session', decimals: 0 },
  MIN_PRICE: { unit: 'session', per: 'session', decimals: 0 },
  MAX_PRICE: { unit: 'session', per: 'session', decimals: 0 },
  AMENDED: { unit: 'session', per: 'session', decimals: 0 },
};

/** Exact decimal as text. */
export const Amount = (description: string, example: string) => Str(description, example);

/** Amounts in the major unit of a currency. */
export const amounts = {
  net: Amount('Amount without tax, in the major unit of the currency.', '5.00'),
  tax: Amount('Tax of the amount.', '1.05'),
  gross: Amount('Amount with tax.', '6.05'),
};

const Quantity = Amount('Quantity in the `unit` of the component.', '12.500000');

const Restrictions = Type.Object(
  {
    start_time: Type.Optional(Str('Time of day (HH:MM) from which.', '22:00')),
    end_time: Type.Optional(Str('Time of day (HH:MM) until which.', '06:00')),
    start_date: Type.Optional(Str('First date.', '2026-01-01')),
    end_date: Type.Optional(Str('Date until which, exclusive.', '2027-01-01')),
    min_kwh: Type.Optional(Decimal('Energy in kWh from which.', 10)),
    max_kwh: Type.Optional(Decimal('Energy in kWh below which.', 20)),
    min_current: Type.Optional(Decimal('Current in A from which.', 16)),
    max_current: Type.Optional(Decimal('Current in A below which.', 32)),
    min_power: Type.Optional(Decimal('Power in kW from which.', 11)),
    max_power: Type.Optional(Decimal('Power in kW below which.', 22)),
    min_duration: Type.Optional(Decimal('Duration in s from which.', 3600)),
    max_duration: Type.Optional(Decimal('Duration in s below which.', 7200)),
    day_of_week: Type.Optional(Type.Array(OneOf(daysOfWeek), { description: 'Days of the week.' })),
  },
  {
    title: 'MatchedRestrictions',
    description:
      'Restrictions under which the element is active (OCPI 2.2.1 §11.4.6); all of them held in the periods of the ' +
      'component. Times are local times of the location.',
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

/** Component of a price. */
export const Component = Named('PriceComponent', {
  kind: OneOf(
    costLineTypes,
    'Kind of component. TIME: time charging. PARKING_TIME: time without charging. RESERVATION_TIME, ' +
      'RESERVATION_FLAT: the reservation. IDLE: minutes beyond the grace period. MIN_PRICE, MAX_PRICE: adjustment to a limit of the tariff. AMENDED: price set by an operator.',
  ),
  quantity: Amount('Billed quantity, exact, after rounding up to the step.', '12.500000'),
  unit: OneOf(units, 'Unit of the quantity: kWh, seconds (`s`) or sessions.'),
  unitPrice: Nullable(
    Amount('Price without tax, as the tariff states it. Null: the component has none.', '0.40'),
  ),
  per: OneOf(priceUnits, 'Unit that the price is for: kWh, hour (`h`), minute (`min`) or session.'),
  stepSize: Nullable(
    Integer('Step in Wh or s to which the quantity is rounded up. Null: the component has none.', 1),
  ),
  taxPercent: Nullable(Amount('Tax rate in percent. Null: no tax applies.', '21')),
  ...amounts,
  element: Nullable(
    Integer('Number of the element of the tariff, from 1. Null: the component is of no element.', 1),
  ),
  restrictions: Nullable(Restrictions),
  periods: Type.Array(Period, {
    description:
      'Periods in which the component applied, in order. They and `rounding` add up to the component. Empty for ' +
      'adjustments, and where `isTraced` is false.',
  }),
  rounding: Nullable(Rounding),
});

/** Sum of components with one tax rate. */
export const Tax = Type.Object({
  taxPercent: Nullable(Amount('Tax rate in percent. Null: no tax applies.', '21')),
  net: amounts.net,
  tax: amounts.tax,
});

/** Returns an amount with its tax, in minor units, as exact decimals. */
export function amountsView(net: bigint, tax: bigint, currency: string) {
  return {
    net: majorText(net, currency),
    tax: majorText(tax, currency),
    gross: majorText(net + tax, currency),
  };
}

/** Converts the sums of a price by tax rate. */
export function taxesView(lines: readonly VatLine[], currency: string): Static<typeof Tax>[] {
  return vatTotals(lines).map(({ vatPercent, exclVatMinor, vatMinor }) => ({
    taxPercent: vatPercent,
    net: majorText(exclVatMinor, currency),
    tax: majorText(vatMinor, currency),
  }));
}

/** Converts a line of an explained price. */
export function componentView(line: ExplainedLine, currency: string): Static<typeof Component> {
  const { unit, per, decimals } = measures[line.type];
  const part = ({ volume, exclVatMinor, vatMinor }: ExplainedPart) => ({
    quantity: decimalText(volume, decimals),
    ...amountsView(exclVatMinor, vatMinor, currency),
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
