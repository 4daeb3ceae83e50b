import { meterStartMissing, startMissing } from '#shared/domain/charging/session.ts';
import { beginCount } from '#shared/domain/charging/register-count.ts';
import { settledFlags, settleSession } from '#shared/pricing/settle-session.ts';
import { amendStart, readLateStart } from '#shared/postgres/charging/session-writes/amend-start.ts';
import { lockSession } from '#shared/postgres/charging/sessions.ts';
import type { NewSession, StartedSession } from '#shared/postgres/charging/session-writes/start.ts';
import type { Context } from './context.ts';
import { noteFollowed } from './running-sessions.ts';

/** Flags that a late start replaces. */
const judgedFlags = new Set([startMissing, ...settledFlags]);

/**
 * Corrects a session whose start arrives after later messages of it (field note 9). Time, register, token and connector of the
 * start replace what was assumed, with the tariff that applied there and then. A session that has ended already is settled again.
 */
export async function amendReportedStart(
  context: Context<'sql'>,
  { uuid, transactionId }: StartedSession,
  reported: NewSession,
): Promise<void> {
  const { start } = reported;
  await context.stores.sql.begin(async (transaction) => {
    const found = await lockSession(transaction, context.charger.id, transactionId);
    if (found === null || !found.flags.includes(startMissing) || found.priceDecision === 'AMENDED') return;
    const session = await readLateStart(transaction, found, reported);
    const meterStartWh = start.meterStartWh ?? session.meterStartWh;
    const kept = session.flags.filter((flag) => !judgedFlags.has(flag));
    if (start.meterStartWh === null) kept.push(meterStartMissing);
    const energyWh = session.energyWh + earlierBy(session.meterStartWh, meterStartWh);
    const result =
      session.endedAt === null
        ? { energyWh, cost: null, needsReadings: false, flags: [], plausibleCostMinor: null }
        : settleSession(
            { ...session, startedAt: start.startedAt, meterStartWh, energyWh },
            { endedAt: session.endedAt, meterEndWh: session.meterStopWh },
          );
    const flags = [...new Set([...kept, ...start.flags, ...result.flags])];
    await amendStart(transaction, session, reported, { ...result, flags });
  });
  const running = context.running.find((known) => known.uuid === uuid);
  if (running === undefined) return;
  running.position = start.position;
  running.startedAt = start.startedAt;
  noteFollowed(context, running);
  if (running.meterStartWh === null) running.count = beginCount(start.meterStartWh, start.startedAt);
  const earlierWh = earlierBy(running.meterStartWh, start.meterStartWh);
  running.count = { ...running.count, energyWh: running.count.energyWh + earlierWh };
  running.meterStartWh = start.meterStartWh ?? running.meterStartWh;
}

/** Returns the energy that a session used more when its register began at the reported value and not at the assumed one; Wh. */
function earlierBy(assumedWh: number | null, reportedWh: number | null): number {
  return assumedWh === null || reportedWh === null ? 0 : Math.max(0, assumedWh - reportedWh);
}
