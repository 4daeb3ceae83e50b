import { durationImplausible, energyImplausible } from '#shared/domain/charging/plausibility.ts';
import { energyDoubts } from '#shared/domain/charging/final-energy.ts';
import { type PartnerStatement, partnerStated } from '#shared/domain/charging/partner-statement.ts';
import { stationCostDiffers } from '#shared/domain/charging/station-transaction.ts';
import { signatureInvalid } from '#shared/domain/charging/signed-meter-value.ts';
import { timeFlags } from '#shared/domain/kernel/clock.ts';
import type { SessionRecord } from '#shared/postgres/charging/session-records.ts';
import { readSessionsInReview } from '#shared/postgres/charging/sessions.statements.ts';
import { toMajor } from '#shared/pricing/money.ts';
import { plausibleMaximum } from '#shared/pricing/settle-session.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

/** Flags that hold a price for a review. */
export const reviewReasons = [
  energyImplausible,
  durationImplausible,
  ...energyDoubts,
  signatureInvalid,
  partnerStated,
  stationCostDiffers,
  ...timeFlags,
] as const;

/** A price that awaits an operator. */
export interface SessionReview {
  reasons: (typeof reviewReasons)[number][];
  /** Values that an approval settles, as the charger reported them. */
  proposed: { energyWh: number; endedAt: Date; totalInclVat: number | null };
  /** Highest plausible values; null: no tariff was assigned. */
  plausible: { energyWh: number; totalInclVat: number | null };
  /** An approval must confirm values above the plausible ones. */
  needsConfirmation: boolean;
  /** Values of the roaming partner, which an approval accepts or rejects. Null: it stated no others. */
  partnerStatement: PartnerStatement | null;
}

/** Returns the reviews of those sessions that are in review, by their id. */
export async function readReviews(
  { sql }: Pick<ServiceDeps, 'sql'>,
  sessions: readonly SessionRecord[],
): Promise<ReadonlyMap<bigint, SessionReview>> {
  const inReview = sessions.filter(({ priceState }) => priceState === 'REVIEW');
  const settled = await readSessionsInReview(
    sql,
    inReview.map(({ id }) => id),
  );
  return new Map(
    settled.flatMap((toSettle) => {
      const session = inReview.find(({ id }) => id === toSettle.id);
      if (session === undefined || session.endedAt === null) return [];
      const maximum = plausibleMaximum(toSettle, session.endedAt);
      const { partnerStatement } = toSettle;
      return [
        [session.id, { ...reviewOf({ ...session, endedAt: session.endedAt }, maximum), partnerStatement }],
      ];
    }),
  );
}

function reviewOf(
  { energyWh, endedAt, cost, currency, flags }: SessionRecord & { endedAt: Date },
  { energyWh: plausibleWh, plausibleCostMinor }: ReturnType<typeof plausibleMaximum>,
): Omit<SessionReview, 'partnerStatement'> {
  const costMinor = cost === null ? null : BigInt(cost.totalInclVatMinor);
  const major = (minor: bigint | null) => (minor === null ? null : toMajor(minor, currency));
  return {
    reasons: reviewReasons.filter((reason) => flags.includes(reason)),
    proposed: { energyWh, endedAt, totalInclVat: major(costMinor) },
    plausible: { energyWh: plausibleWh, totalInclVat: major(plausibleCostMinor) },
    needsConfirmation:
      energyWh > plausibleWh ||
      (costMinor !== null && (plausibleCostMinor === null || costMinor > plausibleCostMinor)),
  };
}
