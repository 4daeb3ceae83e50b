import type { Context } from './context.ts';

/** Answers with the current time. The last-seen time of the charger is recorded for every message. */
export async function handleHeartbeat({ clock }: Context): Promise<{ now: Date }> {
  return { now: new Date(clock.now()) };
}
