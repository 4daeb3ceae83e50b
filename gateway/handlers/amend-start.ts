import { meterStartMissing, startMissing } from '#shared/domain/charging/session.ts';
import { energySoFar } from '#shared/domain/charging/session-meter.ts';
import { settledFlags, settleSession } from '#shared/pricing/settle-session.ts';
import {
  amendStart,
  readLateStart,
} from '#shared/postgres/charging/session-writes/amend-start.statements.ts';
import { lockSession } from '#shared/postgres/charging/sessions.statements.ts';
import type {
  NewSession,
  StartedSession,
} from '#shared/postgres/charging/session-writes/start.statements.ts';
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
    const { startedAt, meterStartWh } = start;
    const amended = { ...session, startedAt, startWh: meterStartWh, isStartMissing: false };
    const kept = session.flags.filter((flag) => !judgedFlags.has(flag));
    if (meterStartWh === null) kept.push(meterStartMissing);
    const result =
      session.endedAt === null
        ? {
            energyWh: energySoFar(session.meter, amended) ?? 0,
            cost: null,
            needsReadings: false,
            flags: [],
            plausibleCostMinor: null,
          }
        : settleSession(amended, { endedAt: session.endedAt, meterEndWh: session.meterStopWh });
    const flags = [...new Set([...kept, ...start.flags, ...result.flags])];
    await amendStart(transaction, session, reported, { ...result, flags });
  });
  const running = context.running.find((known) => known.uuid === uuid);
  if (running === undefined) return;
  running.position = start.position;
  running.startedAt = start.startedAt;
  noteFollowed(context, running);
  running.startWh = start.meterStartWh;
}
