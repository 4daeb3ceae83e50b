import type { TimedMessage } from '#shared/domain/fleet/local-time.ts';
import { recordLocalOffset } from '#shared/postgres/fleet/local-offset.ts';
import { shiftStarts } from '#shared/postgres/charging/session-writes/shift-start.ts';
import type { Context } from './context.ts';

const msPerMinute = 60_000;

/**
 * Notes an offset of the charger's local time that a message shows, before the message is read. The starts of running sessions that
 * were read without it are corrected. Null: nothing new is shown, as nearly always.
 */
export function learnLocalTime(context: Context<'sql'>, message: TimedMessage): Promise<void> | null {
  const { localTime, receivedAt } = context;
  const offsetMs = localTime.shownBy(message, receivedAt);
  return offsetMs === null ? null : learn(context, offsetMs);
}

async function learn(context: Context<'sql'>, offsetMs: number): Promise<void> {
  const { charger, localTime, running, stores } = context;
  const before = localTime.offsetMs;
  // Calls that arrive meanwhile are read with it.
  localTime.offsetMs = offsetMs;
  const storing = stores.sql.begin(async (transaction) => {
    await recordLocalOffset(transaction, charger.id, offsetMs / msPerMinute);
    return shiftStarts(transaction, charger.id, before - offsetMs);
  });
  const shifted = await storing.catch((error: unknown) => {
    // The next message shows it again, and it is stored then.
    localTime.offsetMs = before;
    throw error;
  });
  for (const { uuid, startedAt } of shifted) {
    const session = running.find((one) => one.uuid === uuid);
    if (session !== undefined) session.startedAt = startedAt;
  }
}
