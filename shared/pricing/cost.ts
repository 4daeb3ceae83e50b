import type { CostNote } from './rating.ts';

/**
 * Subject of a line of a breakdown: a dimension of OCPI, of the session or of the reservation with which it began, the idle fee,
 * a price limit, or the whole price as an operator set it.
 */
export const costLineTypes = [
  'ENERGY',
  'TIME',
  'PARKING_TIME',
  'FLAT',
  'RESERVATION_TIME',
  'RESERVATION_FLAT',
  'IDLE',
  'MIN_PRICE',
  'MAX_PRICE',
  'AMENDED',
] as const;

/** One line of a cost breakdown; amounts in minor units of the currency, negative only for MAX_PRICE. */
export interface CostLine {
  type: (typeof costLineTypes)[number];
  /** The billed volume after step_size: kWh, hours, or 1; minutes beyond the grace of an idle fee. */
  quantity: number;
  /** As the tariff states it: per kWh, per hour, once, or per idle minute, without VAT; null: a price limit, or a set price. */
  unitPrice: string | null;
  vatPercent: string | null;
  exclVatMinor: bigint;
  vatMinor: bigint;
}

/** The price of a session, explained: the lines add up to the totals, to the cent. */
export interface Cost {
  currency: string;
  lines: CostLine[];
  notes: CostNote[];
  totalExclVatMinor: bigint;
  totalVatMinor: bigint;
  totalInclVatMinor: bigint;
}

/** A line before rounding; amounts times `exactScale`. */
export interface ExactLine extends Pick<CostLine, 'type' | 'quantity' | 'unitPrice' | 'vatPercent'> {
  exclVat: bigint;
  vat: bigint;
}

/** Part of a cost at one rate of VAT. */
interface VatTotal {
  /** Null: no VAT applies. */
  vatPercent: string | null;
  exclVatMinor: bigint;
  vatMinor: bigint;
}

/** The lines of a cost summed for each rate of VAT, in the order of the lines. */
export function vatTotals(lines: readonly CostLine[]): VatTotal[] {
  return [...Map.groupBy(lines, ({ vatPercent }) => vatPercent)].map(([vatPercent, same]) => ({
    vatPercent,
    ...amountsOf(same),
  }));
}

/** Part of a cost of one subject. */
type KindTotal = Pick<CostLine, 'type' | 'exclVatMinor' | 'vatMinor'>;

/** Returns the lines of a cost summed for each subject, in the order of the lines. */
export function kindTotals(lines: readonly CostLine[]): KindTotal[] {
  return [...Map.groupBy(lines, ({ type }) => type)].map(([type, same]) => ({ type, ...amountsOf(same) }));
}

function amountsOf(lines: readonly CostLine[]): Pick<CostLine, 'exclVatMinor' | 'vatMinor'> {
  return {
    exclVatMinor: sum(lines.map((line) => line.exclVatMinor)),
    vatMinor: sum(lines.map((line) => line.vatMinor)),
  };
}

function sum(amounts: bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
