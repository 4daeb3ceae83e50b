import { chargeableSeconds } from '#shared/domain/charging/idle.ts';
import type { Cost, CostLine } from './cost.ts';
import { allocate } from './money.ts';
import { priceSession, unitsPerPrice } from './price-session.ts';
import { pricedPeriods, type PricedPeriod } from './rating.ts';
import type { PriceComponent, Tariff, TariffElement } from './tariff.ts';
import type { SessionUsage } from './usage.ts';

/** Amounts in minor units of the currency. */
interface Amounts {
  exclVatMinor: bigint;
  vatMinor: bigint;
}

/** Part of a line; volume in the base unit of the line. */
export interface ExplainedPart extends Amounts {
  volume: bigint;
}

/** Period that a line prices. */
export interface ExplainedPeriod extends ExplainedPart {
  from: Date;
  to: Date;
}

/** Line of a price with the periods that it is made of. The amounts of the parts add up to those of the line. */
export interface ExplainedLine extends Omit<CostLine, 'quantity'> {
  /** Billed: mWh, ms of TIME, PARKING_TIME and RESERVATION_TIME, s of IDLE, else 1. */
  volume: bigint;
  /** Step to which the volume is rounded up, in Wh or s; null: the line has none. */
  stepSize: number | null;
  /** Number of the tariff element, from 1, with the restrictions under which it is active; null: not of an element. */
  element: { number: number; restrictions: TariffElement['restrictions'] | null } | null;
  /** Empty where the readings of the price are no longer stored, and for lines that are not of a period. */
  periods: ExplainedPeriod[];
  /** Part that rounding up to the step added; null: none. */
  rounding: ExplainedPart | null;
}

/** The lines of a price, explained. */
export interface PriceExplanation {
  lines: ExplainedLine[];
  /** False: periods are missing, since the price cannot be made again from what is stored. */
  isTraced: boolean;
}

/**
 * Explains a price: its lines as they were billed, and the periods of each of them. The price is made again from the usage. Where
 * that gives another one, such as after its readings were deleted, the lines have no periods.
 */
export function explainPrice(tariff: Tariff | null, usage: SessionUsage, cost: Cost): PriceExplanation {
  const isTraced = tariff !== null && isSamePrice(priceSession(tariff, usage), cost);
  const periods = isTraced ? pricedPeriods(tariff, usage) : null;
  // In the order of the tariff, as the lines are.
  const used = (tariff?.elements ?? []).flatMap(({ price_components }) =>
    price_components.filter((component) => periods?.has(component) === true),
  );
  const lines = cost.lines.map((line, index) => {
    const component = used[index];
    if (component !== undefined) return componentLine(line, tariff, component, periods?.get(component) ?? []);
    if (line.type === 'IDLE' && isTraced) return idleLine(line, tariff, usage);
    return { ...withVolume(line), stepSize: null, element: null, periods: [], rounding: null };
  });
  return { lines, isTraced: isTraced || cost.lines.length === 0 };
}

/** Returns true for prices with the same lines. */
function isSamePrice(one: Cost, other: Cost): boolean {
  return (
    one.lines.length === other.lines.length &&
    one.lines.every((line, index) => lineText(line) === lineText(other.lines[index]))
  );
}

const lineText = (line: CostLine | undefined) =>
  line &&
  [line.type, line.quantity, line.unitPrice, line.vatPercent, line.exclVatMinor, line.vatMinor].join();

function componentLine(
  line: CostLine,
  tariff: Tariff | null,
  component: PriceComponent,
  periods: readonly PricedPeriod[],
): ExplainedLine {
  const explained = withVolume(line);
  const measured = periods.reduce((sum, { volume }) => sum + volume, 0n);
  const added = explained.volume - measured;
  const number = tariff?.elements.findIndex((element) => element.price_components.includes(component)) ?? -1;
  return {
    ...explained,
    stepSize: component.type === 'FLAT' ? null : Math.max(1, component.step_size),
    element: { number: number + 1, restrictions: tariff?.elements[number]?.restrictions ?? null },
    ...partsOf(line, periods, added),
  };
}

/** The part of each idle period beyond its grace. */
function idleLine(line: CostLine, tariff: Tariff | null, { idlePeriods }: SessionUsage): ExplainedLine {
  const graceSeconds = Math.round((tariff?.idle?.grace_minutes ?? 0) * 60);
  const periods = idlePeriods.flatMap((period) => {
    const [seconds = 0] = chargeableSeconds([period]);
    const billed = Math.round(seconds) - graceSeconds;
    const from = new Date(period.from.getTime() + graceSeconds * 1000);
    return billed > 0 ? [{ from, to: period.to, volume: BigInt(billed) }] : [];
  });
  return { ...withVolume(line), stepSize: null, element: null, ...partsOf(line, periods, 0n) };
}

/** Shares the amounts of a line out among its periods and what rounding added, by their volumes. */
function partsOf(
  { exclVatMinor, vatMinor }: CostLine,
  periods: readonly PricedPeriod[],
  added: bigint,
): Pick<ExplainedLine, 'periods' | 'rounding'> {
  const volumes = [...periods.map(({ volume }) => volume), added];
  const excls = allocate(exclVatMinor, volumes);
  const vats = allocate(vatMinor, volumes);
  const amountsAt = (index: number) => ({ exclVatMinor: excls[index] ?? 0n, vatMinor: vats[index] ?? 0n });
  return {
    periods: periods.map((period, index) => ({ ...period, ...amountsAt(index) })),
    rounding: added === 0n ? null : { volume: added, ...amountsAt(periods.length) },
  };
}

/** The line with its quantity in base units, which is exact. */
function withVolume({ quantity, ...line }: CostLine) {
  return { ...line, volume: BigInt(Math.round(quantity * Number(unitsOf(line.type)))) };
}

function unitsOf(type: CostLine['type']): bigint {
  if (type === 'IDLE') return 60n;
  return type === 'MIN_PRICE' || type === 'MAX_PRICE' || type === 'AMENDED' ? 1n : unitsPerPrice[type];
}
