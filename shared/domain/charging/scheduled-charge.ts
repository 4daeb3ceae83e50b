/**
 * State of a scheduled session. starting: its time has come and its charger is being asked; started: the
 * session exists; failed: its window passed, or it cannot start.
 */
export const scheduledChargeStatuses = ['scheduled', 'starting', 'started', 'failed', 'cancelled'] as const;
export type ScheduledChargeStatus = (typeof scheduledChargeStatuses)[number];

/** Maximum time in ms between the scheduling of a session and its start. */
export const scheduleAheadMs = 30 * 24 * 3_600_000;

/** Maximum number of upcoming scheduled sessions of a driver. */
export const maxScheduled = 20;
