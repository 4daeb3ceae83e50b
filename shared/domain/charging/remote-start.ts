import { commandTimeoutMs } from '#shared/domain/kernel/deadline.ts';

/**
 * State of a remote start. `pending`: the charger may still begin the session. `started`: a session is bound to it.
 * `expired`: no session came in time; a late one still binds. `refused`: no session can come.
 */
export const remoteStartStatuses = ['pending', 'started', 'expired', 'refused'] as const;
export type RemoteStartStatus = (typeof remoteStartStatuses)[number];

interface Transition {
  from: readonly RemoteStartStatus[];
  to: RemoteStartStatus;
}

/**
 * Transitions of a remote start, by event. A remote start is stored as `pending`. An event changes nothing in a state that is
 * not in its `from`. docs/adr/0022-driver-starts.md lists who drives each event.
 */
export const remoteStartTransitions = {
  /** The charger refused, or the command could not be sent to it. */
  refuse: { from: ['pending'], to: 'refused' },
  /** The deadline passed, or the connection was lost before the charger answered. */
  expire: { from: ['pending'], to: 'expired' },
  /** The charger reported the session. */
  bind: { from: ['pending', 'expired'], to: 'started' },
  /** The bound session belongs to an earlier request or to another token, and the deadline has not passed. */
  resume: { from: ['started'], to: 'pending' },
  /** The same after the deadline, or while another start occupies the connector or the driver. */
  unbind: { from: ['started'], to: 'expired' },
} as const satisfies Record<string, Transition>;

/**
 * Time in milliseconds that a charger which accepted a remote start waits for the cable. ConnectionTimeOut of 1.6 and
 * EVConnectionTimeOut of 2.0.1 are commonly 120 s.
 */
export const connectionTimeoutMs = 120_000;

/** Deadlines of a remote start in milliseconds, each counted from the request. */
export const remoteStartDeadlines = {
  /** End of `pending`: the charger has answered, and has waited for the cable. */
  pendingMs: commandTimeoutMs + connectionTimeoutMs,
  /** End of the time in which a session takes the limits and the wallet hold of the start. */
  limitsMs: 10 * 60_000,
  /** Release of a wallet hold that no session took. Later than `limitsMs`, so that a session finds its hold. */
  holdMs: 15 * 60_000,
  /** End of the time in which a late session binds to an expired start. */
  lateSessionMs: 60 * 60_000,
} as const;
