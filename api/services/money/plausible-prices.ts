import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { AmendableSession } from '#shared/postgres/charging/session-amending.statements.ts';
import { toMajor } from '#shared/pricing/money.ts';
import type { PriceState } from '#shared/pricing/price-state.ts';
import type { PlausibleMaximum } from '#shared/pricing/settle-session.ts';

/** A price that an operator is about to settle. */
interface DecidedPrice {
  /** Energy that the operator takes for right, Wh. */
  energyWh: number;
  /** With VAT. Null: not priced yet. */
  costMinor: bigint | null;
  /** The operator confirmed a price above what is plausible. */
  isConfirmed: boolean;
}

/**
 * Refuses energy and a price above the plausible maximum of a session that the operator did not confirm. Without a tariff no
 * maximum of the price is known: each needs the confirmation.
 * @throws {DomainError} ABOVE_PLAUSIBLE.
 */
export function requirePlausible(
  { uuid, currency }: Pick<AmendableSession, 'uuid' | 'currency'>,
  maximum: PlausibleMaximum,
  { energyWh, costMinor, isConfirmed }: DecidedPrice,
): void {
  const { plausibleCostMinor } = maximum;
  const isOver =
    energyWh > maximum.energyWh ||
    (costMinor !== null && (plausibleCostMinor === null || costMinor > plausibleCostMinor));
  if (!isOver || isConfirmed) return;
  const energyKwh = Math.round(maximum.energyWh) / 1000;
  const inclVat = plausibleCostMinor === null ? null : toMajor(plausibleCostMinor, currency);
  const bound =
    inclVat === null
      ? `at most ${energyKwh} kWh are plausible; without a tariff every price needs confirmation`
      : `at most ${energyKwh} kWh and ${inclVat} ${currency} are plausible`;
  throw new DomainError(
    'ABOVE_PLAUSIBLE',
    `The session ${uuid} would be charged more than its connector can have delivered: ${bound}. Amend it, or send confirmAbovePlausible: true to settle it so.`,
    { plausibleEnergyKwh: energyKwh, plausibleInclVat: inclVat, currency },
  );
}

/** Price of a session as the audit log holds it before and after a decision. */
export function auditedPrice(session: {
  energyWh: number;
  endedAt: Date;
  priceState: PriceState;
  cost: { totalExclVatMinor: bigint | string; totalInclVatMinor: bigint | string } | null;
}) {
  const { energyWh, endedAt, priceState, cost } = session;
  return {
    priceState,
    energyWh,
    endedAt: endedAt.toISOString(),
    totalExclVatMinor: cost === null ? null : String(cost.totalExclVatMinor),
    totalInclVatMinor: cost === null ? null : String(cost.totalInclVatMinor),
  };
}
