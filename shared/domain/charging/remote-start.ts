/**
 * What became of a remote start: `pending` until the charger reports the session, `expired` when it does not in
 * time, `refused` when the charger said no.
 */
export const remoteStartStatuses = ['pending', 'started', 'expired', 'refused'] as const;
export type RemoteStartStatus = (typeof remoteStartStatuses)[number];

/**
 * How long a charger that accepted a remote start waits for the cable: ConnectionTimeOut of 1.6 and
 * EVConnectionTimeOut of 2.0.1 are commonly 120 s. No session follows after that.
 */
export const connectionTimeoutMs = 120_000;

/** How long limits wait for their session: longer than any charger waits for the cable. */
export const limitsExpireMs = 10 * 60_000;
