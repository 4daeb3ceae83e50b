/**
 * What became of a session that a driver wants at a time to come. starting: its time has come, and its charger was asked
 * or is asked again; started: the session is there; failed: its window passed, or it never can be.
 */
export const scheduledChargeStatuses = ['scheduled', 'starting', 'started', 'failed', 'cancelled'] as const;
export type ScheduledChargeStatus = (typeof scheduledChargeStatuses)[number];

/** How far ahead a session may be scheduled. */
export const scheduleAheadMs = 30 * 24 * 3_600_000;

/** How many scheduled sessions of a driver may be to come. */
export const maxScheduled = 20;
