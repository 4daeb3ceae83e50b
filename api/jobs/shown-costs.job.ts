import { send } from '#api/services/commands/send.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { runningReadings } from '#api/services/charging/session-readings.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import {
  claimShownSessions,
  type ShownSession,
  storeShownCost,
} from '#shared/postgres/charging/shown-costs.statements.ts';
import { toMajor } from '#shared/pricing/money.ts';
import { priceSession } from '#shared/pricing/price-session.ts';
import { usageUntil } from '#shared/pricing/settle-session.ts';
import type { UsageReading } from '#shared/pricing/usage.ts';

/** Time that a station has to take a cost, in ms. */
const takeTimeoutMs = 10_000;

/** Sends CostUpdated (2.0.1 I02) to stations that show costs: each minute for each session whose cost changed. */
export async function showRunningCosts(deps: ApiDeps): Promise<void> {
  const sessions = await claimShownSessions(deps.sql);
  const now = new Date();
  const readings = await runningReadings(deps, sessions, now);
  await Promise.all(sessions.map((session) => show(deps, session, now, readings.get(session.uuid))));
}

async function show(
  deps: ApiDeps,
  session: ShownSession,
  now: Date,
  readings: readonly UsageReading[] | undefined,
): Promise<void> {
  if (session.tariff === null) return;
  const { totalInclVatMinor, currency } = priceSession(session.tariff, usageUntil(session, now, readings));
  if (totalInclVatMinor === session.shownMinor) return;
  const { transactionId } = session;
  const payload = { totalCost: toMajor(totalInclVatMinor, currency), transactionId };
  try {
    const command = { type: 'ocpp', action: 'CostUpdated', payload } as const;
    await send(deps, null, session.charger, command, { timeoutMs: takeTimeoutMs });
    await storeShownCost(deps.sql, session.id, totalInclVatMinor);
  } catch (error) {
    // Sent again a minute later.
    if (!(error instanceof DomainError)) throw error;
  }
}
